/** Where a task stands among those that wait, and how much room it takes. */
export interface TaskOptions {
  /**
   * Whose task it is: any key, by which the places are shared out; one of `laneWithin` for what its owner has several kinds of.
   * Tasks without one are of one lane together.
   */
  lane?: string;
  /** Lets go of a task that still waits. */
  signal?: AbortSignal;
  /** How many of the places it takes, 1 when absent; one that would take more than there are takes all. */
  places?: number;
}

/**
 * Runs a task when its turn comes and gives its result.
 * @throws the signal's own reason when it comes before the turn does
 */
export type ParallelRun = <T>(task: () => Promise<T>, options?: TaskOptions) => Promise<T>;

const WITHIN = "\n";

/** A lane of its own among those of an owner, which share the owner's places by turns. */
export function laneWithin(owner: string, kind: string): string {
  return `${owner}${WITHIN}${kind}`;
}

function ownerOf(lane: string): string {
  return lane.split(WITHIN, 1)[0] ?? lane;
}

interface Waiter {
  places: number;
  begin(): void;
}

/** How many places are taken, by lane and by owner. */
interface Held {
  lanes: Map<string, number>;
  owners: Map<string, number>;
}

/** Those that wait, in their order, by lane; first the lane that has had no place for longest. */
type Waiting = Map<string, Set<Waiter>>;

/**
 * Lets tasks run at once that take at most `limit` places together; the others wait, in order within their lane. Places that get
 * free go to the owner that holds the fewest, of several to the one that has had none for longest, and among an owner's lanes in
 * the same way. So the first task of one lane never stands behind all of another's, and no owner comes to more than half of the
 * places, rounded up, while others wait. The one whose turn it is may wait for several places: nobody passes it, or it would never
 * get them.
 */
export function limitParallel(limit: number): ParallelRun {
  let running = 0;
  const held: Held = { lanes: new Map(), owners: new Map() };
  const waiting: Waiting = new Map();

  const take = (lane: string, places: number) => {
    running += places;
    add(held.lanes, lane, places);
    add(held.owners, ownerOf(lane), places);
  };

  const giveBack = (lane: string, places: number) => {
    running -= places;
    add(held.lanes, lane, -places);
    add(held.owners, ownerOf(lane), -places);
    const mine = [...waiting].filter(([other]) => ownerOf(other) === ownerOf(lane));
    mine.sort(([one], [other]) => Number(one === lane) - Number(other === lane));
    for (const [other, waiters] of mine) if (waiting.delete(other)) waiting.set(other, waiters);
  };

  /** The places are handed on rather than freed, so that nobody who comes now can take them first. */
  const handOn = () => {
    for (let next = findNext(waiting, held); next; next = findNext(waiting, held)) {
      if (next.waiter.places > limit - running) return;
      take(next.lane, next.waiter.places);
      next.waiter.begin();
    }
  };

  return async (task, { lane = "", signal, places: wanted = 1 } = {}) => {
    signal?.throwIfAborted();
    const places = Math.min(wanted, limit);
    if (waiting.size === 0 && places <= limit - running) take(lane, places);
    else {
      const turn = waitForTurn(waiting, { lane, places, signal, onGivenUp: handOn });
      handOn();
      await turn;
    }
    try {
      return await task();
    } finally {
      giveBack(lane, places);
      handOn();
    }
  };
}

function findNext(waiting: Waiting, { lanes, owners }: Held) {
  const byOwner = (lane: string) => owners.get(ownerOf(lane)) ?? 0;
  const byLane = (lane: string) => lanes.get(lane) ?? 0;
  let next: { lane: string; waiter: Waiter } | undefined;
  for (const [lane, [waiter]] of waiting) {
    if (waiter === undefined) continue;
    const before = next?.lane;
    const isNext =
      before === undefined ||
      byOwner(lane) < byOwner(before) ||
      (ownerOf(lane) === ownerOf(before) && byLane(lane) < byLane(before));
    if (isNext) next = { lane, waiter };
  }
  return next;
}

function add(counts: Map<string, number>, key: string, places: number): void {
  const count = (counts.get(key) ?? 0) + places;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

interface Wait {
  lane: string;
  places: number;
  signal: AbortSignal | undefined;
  /** What waited behind one that wanted many places may have room. */
  onGivenUp(): void;
}

/** @throws the signal's reason when it comes before the turn does */
function waitForTurn(waiting: Waiting, { lane, places, signal, onGivenUp }: Wait): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const inLane = waiting.get(lane) ?? new Set();
    waiting.set(lane, inLane);
    const leave = () => {
      inLane.delete(waiter);
      if (inLane.size === 0) waiting.delete(lane);
      signal?.removeEventListener("abort", giveUp);
    };
    const waiter: Waiter = {
      places,
      begin() {
        leave();
        resolve();
      },
    };
    const giveUp = () => {
      leave();
      reject(signal?.reason);
      onGivenUp();
    };
    inLane.add(waiter);
    signal?.addEventListener("abort", giveUp, { once: true });
  });
}
