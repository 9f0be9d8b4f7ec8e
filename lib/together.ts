import { setTimeout as delay } from "node:timers/promises";

export interface TogetherOptions<Item, Result> {
  /**
   * Does the work of several at once; returns a result for each, in their order. One that is still to come holds up nobody but
   * what shares its key, and when it fails its caller alone learns of it.
   */
  work(items: Item[]): Promise<(Result | Promise<Result>)[]>;
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
  resolve(result: Result | Promise<Result>): void;
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

interface Go {
  keys: Set<string>;
  isLate: boolean;
  /** Whether nothing but single results of it are still to come, which the others do not wait for. */
  isOver: boolean;
}

class Lane<Item, Result> {
  readonly #options: TogetherOptions<Item, Result>;
  readonly #onEmpty: () => void;
  readonly #goes = new Set<Go>();
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
    const goes = [...this.#goes].filter(({ isOver }) => !isOver);
    if (goes.length >= MAX_GOES || goes.some(({ isLate }) => !isLate)) return;
    const callers = this.#goes.size === 0 ? this.#waiting.splice(0, this.#options.max) : this.#takeOthers();
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
    const keysOf = (items: Item[]) => new Set(keyOf ? items.map(keyOf) : []);
    const go = { keys: keysOf(callers.map(({ item }) => item)), isLate: false, isOver: false };
    this.#goes.add(go);
    const patience = keyOf && setTimeout(() => this.#giveUpOn(go), PATIENCE_MS);
    const open = await doWork(this.#options, callers);
    clearTimeout(patience);
    if (restMs) await delay(restMs);
    if (open.length > 0) {
      Object.assign(go, { keys: keysOf(open.map(({ item }) => item)), isOver: true });
      this.#beginSoon();
      await Promise.allSettled(open.map(({ result }) => result));
    }
    this.#goes.delete(go);
    this.#beginSoon();
  }

  #giveUpOn(go: Go): void {
    go.isLate = true;
    this.#begin();
  }
}

interface OpenResult<Item, Result> {
  item: Item;
  result: Promise<Result>;
}

/**
 * Never rejects: each caller learns of its own.
 * @returns the results that are still to come
 */
async function doWork<Item, Result>(
  options: TogetherOptions<Item, Result>,
  callers: Waiting<Item, Result>[],
): Promise<OpenResult<Item, Result>[]> {
  const open: OpenResult<Item, Result>[] = [];
  try {
    const results = await options.work(callers.map(({ item }) => item));
    for (const [index, { item, resolve }] of callers.entries()) {
      const result = results[index] as Result | Promise<Result>;
      resolve(result);
      if (result instanceof Promise) open.push({ item, result });
    }
  } catch (error) {
    if (callers.length > 1 && options.isRepeatable?.(error)) {
      for (const caller of callers) open.push(...(await doWork(options, [caller])));
    } else {
      for (const { reject } of callers) reject(error);
    }
  }
  return open;
}
