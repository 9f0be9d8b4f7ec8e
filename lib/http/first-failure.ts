/** What goes wrong first in work with several ends stops all of it; what fails later is its consequence, and dropped. */
export class FirstFailure {
  private failure: { error: unknown } | undefined;
  private interrupt: ((error: unknown) => void) | undefined;

  /** @param onFailure ends what is under way; called once */
  constructor(private readonly onFailure: (error: unknown) => void) {}

  /** Ends everything with this error, unless something failed before. */
  set(error: unknown): void {
    if (this.failure) return;
    this.failure = { error };
    this.onFailure(error);
    this.interrupt?.(error);
  }

  /** Waits for a promise, but not beyond the failure. One at a time. */
  async waitFor<V>(promise: Promise<V>): Promise<V> {
    return new Promise((resolve, reject) => {
      this.interrupt = reject;
      if (this.failure) reject(this.failure.error);
      promise.then(resolve, reject);
    });
  }

  throwIfAny(): void {
    if (this.failure) throw this.failure.error;
  }
}
