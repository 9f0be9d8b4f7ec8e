/**
 * What the last look at the queue found out about limits: under which concurrency keys as much runs as may run, all of it here.
 * New work under these keys can only wait until something ends here, so nobody needs to look for it.
 */
export class KnownLimits {
  #fullKeys: ReadonlySet<string> = new Set();
  #ends = 0;

  /** Something ended, or went back into the queue: there may be room. */
  noteEnd(): void {
    this.#ends += 1;
    this.#fullKeys = new Set();
  }

  /**
   * A look at the queue begins; the result tells what it saw.
   * @returns whether something has ended since the look began: what it saw may no longer be so
   */
  beginLook(): (fullKeys: ReadonlySet<string>) => boolean {
    const ends = this.#ends;
    return (fullKeys) => {
      const hasChanged = this.#ends !== ends;
      this.#fullKeys = hasChanged ? new Set() : fullKeys;
      return hasChanged;
    };
  }

  /** Whether nothing new in these lanes may run now. */
  holdBack(lanes: string[]): boolean {
    return lanes.length > 0 && lanes.every((lane) => lane.split("\n").some((key) => this.#fullKeys.has(key)));
  }
}
