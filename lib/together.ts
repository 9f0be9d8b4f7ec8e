import { setTimeout as delay } from "node:timers/promises";

export interface TogetherOptions<Item, Result> {
  /** Does the work of several at once; returns a result for each, in their order. */
  work(items: Item[]): Promise<Result[]>;
  /** The most of one go. */
  max: number;
  /** Items of different lanes go apart and do not wait for each other; all share one where this is absent. */
  laneOf?(item: Item): string;
  /**
   * For work that may have to wait for something of an item's, such as its account's row. A go that takes long then holds up what
   * shares a key with one of its items, and nothing else of its lane.
   */
  keyOf?(item: Item): string;
  /** A lane rests so long after a go, so that more comes together. For what nobody waits for: a first call still goes at once. */
  restMs?: number;
  /**
   * Whether a go of several that failed is done again one by one, so that none fails by another's fault. Only where the
   * error says that nothing of it was done, or doing it twice is harmless.
   */
  isRepeatable?(error: unknown): boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * What came over several connections at once is read in one turn of the event loop or in two, and is answered likewise. So many
 * turns are as long as there is other work to do: with nothing else, less than a tenth of a millisecond.
 */
const GATHER_TURNS = 4;
/** After so long a go is late: what shares no key with it waits for it no longer. */
const PATIENCE_MS = 25;
/** Of a lane at once, all but the last of them late. */
const MAX_GOES = 4;

/**
 * Makes a function whose calls go together: those that come within a few turns of the event loop, and those that come while
 * others are under way. A busy lane then costs one statement for many, and never waits on itself; in an idle process a call
 * waits for nothing.
 */
export function together<Item, Result>(options: TogetherOptions<Item, Result>): (item: Item) => Promise<Result> {
  /** Those with a go under way. */
  const lanes = new Map<string, Lane<Item, Result>>();
  return (item) =>
    new Promise((resolve, reject) => {
      const name = options.laneOf?.(item) ?? "";
      let lane = lanes.get(name);
      if (!lane) {
        lane = new Lane(options, () => lanes.delete(name));
        lanes.set(name, lane);
      }
      lane.add({ item, resolve, reject });
    });
}

class Lane<Item, Result> {
  readonly #options: TogetherOptions<Item, Result>;
  readonly #onEmpty: () => void;
  readonly #goes = new Set<{ keys: Set<string>; isLate: boolean }>();
  #waiting: Waiting<Item, Result>[] = [];
  #isAboutToBegin = false;

  constructor(options: TogetherOptions<Item, Result>, onEmpty: () => void) {
    this.#options = options;
    this.#onEmpty = onEmpty;
  }

  add(caller: Waiting<Item, Result>): void {
    this.#waiting.push(caller);
    this.#beginSoon();
  }

  #beginSoon(): void {
    if (this.#isAboutToBegin) return;
    this.#isAboutToBegin = true;
    let left = GATHER_TURNS;
    const turn = () => {
      left -= 1;
      if (left > 0) return void setImmediate(turn);
      this.#isAboutToBegin = false;
      this.#begin();
      if (this.#goes.size === 0) this.#onEmpty();
    };
    setImmediate(turn);
  }

  #begin(): void {
    const goes = [...this.#goes];
    if (goes.length >= MAX_GOES || goes.some(({ isLate }) => !isLate)) return;
    const callers = goes.length === 0 ? this.#waiting.splice(0, this.#options.max) : this.#takeOthers();
    if (callers.length > 0) void this.#go(callers);
  }

  /** Those that share no key with what is under way. */
  #takeOthers(): Waiting<Item, Result>[] {
    const { keyOf = () => "", max } = this.#options;
    const held = new Set([...this.#goes].flatMap(({ keys }) => [...keys]));
    const taken = new Set(this.#waiting.filter(({ item }) => !held.has(keyOf(item))).slice(0, max));
    this.#waiting = this.#waiting.filter((caller) => !taken.has(caller));
    return [...taken];
  }

  async #go(callers: Waiting<Item, Result>[]): Promise<void> {
    const { keyOf, restMs } = this.#options;
    const go = { keys: new Set(keyOf ? callers.map(({ item }) => keyOf(item)) : []), isLate: false };
    this.#goes.add(go);
    const patience = keyOf && setTimeout(() => this.#giveUpOn(go), PATIENCE_MS);
    await doWork(this.#options, callers);
    clearTimeout(patience);
    if (restMs) await delay(restMs);
    this.#goes.delete(go);
    this.#beginSoon();
  }

  #giveUpOn(go: { isLate: boolean }): void {
    go.isLate = true;
    this.#begin();
  }
}

/** Never rejects: each caller learns of its own. */
async function doWork<Item, Result>(
  options: TogetherOptions<Item, Result>,
  callers: Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await options.work(callers.map(({ item }) => item));
    for (const [index, { resolve }] of callers.entries()) resolve(results[index] as Result);
  } catch (error) {
    if (callers.length > 1 && options.isRepeatable?.(error)) {
      for (const caller of callers) await doWork(options, [caller]);
    } else {
      for (const { reject } of callers) reject(error);
    }
  }
}
