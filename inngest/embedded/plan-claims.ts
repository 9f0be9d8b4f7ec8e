import { shareOf } from "@/inngest/embedded/read-config";

/** Items of one lane share their concurrency keys and their priority: the lines of the lane's name. */
export interface ReadyLane {
  lane: string;
  /** How many are ready, counted up to a little more than could be taken. */
  ready: number;
  /** Milliseconds since the epoch. */
  oldestDueAt: number;
}

/**
 * Decides how many items of each lane are taken next: within every limit, one by one from the share with the
 * fewest running items (of equals the one that got none for longest, then the one that waits longest), so that a flood in one cannot
 * starve another. A share is what has the same keys; its lanes of several priorities take its places by turns, the one with the
 * fewest running items first, of equals the one that got none for longest, then the higher priority: what somebody waits for passes
 * by what is there in thousands, and neither stops for the other, not even where there is one place for them.
 * @param running leased items per lane, of all runners
 * @param limitOf the limit of a concurrency key, undefined for none
 * @param free how many may be taken at all
 * @param turns when lanes and shares had their last turn
 */
export function planClaims(
  ready: ReadyLane[],
  running: Map<string, number>,
  limitOf: (key: string) => number | undefined,
  free: number,
  turns = new Turns(),
): Map<string, number> {
  const used = countByKey(running);
  const granted = new Map<string, number>();
  const shares = openShares(ready, running, turns);
  let open = ready.map((lane) => openLane(lane, shares, running, turns));
  open.sort(
    (a, b) =>
      a.share.turn - b.share.turn ||
      a.share.oldestDueAt - b.share.oldestDueAt ||
      a.turn - b.turn ||
      b.priority - a.priority ||
      a.oldestDueAt - b.oldestDueAt,
  );
  for (let left = free; left > 0; left--) {
    open = open.filter(
      ({ ready, keys }) =>
        ready > 0 && keys.every((key) => (used.get(key) ?? 0) < (limitOf(key) ?? Number.POSITIVE_INFINITY)),
    );
    const next = open.reduce((least, lane) => (isBefore(lane, least) ? lane : least), open[0] as (typeof open)[number]);
    if (!next) break;
    next.ready--;
    next.load++;
    next.share.load++;
    for (const key of next.keys) add(used, key, 1);
    add(granted, next.lane, 1);
  }
  return granted;
}

/** How many lanes and shares are remembered: more than wait at once. One that is forgotten counts as one that had no turn. */
const MAX_REMEMBERED = 10_000;

/** In which order lanes and shares had their last turn. */
export class Turns {
  readonly #last = new Map<string, number>();
  #count = 0;

  /** 0 for none. */
  lastOf(name: string): number {
    return this.#last.get(name) ?? 0;
  }

  /** What is taken at once has its turn at once. */
  note(lanes: Iterable<string>): void {
    this.#count += 1;
    for (const lane of lanes) for (const name of [lane, shareOf(lane).share]) this.#noteOne(name);
  }

  #noteOne(name: string): void {
    this.#last.delete(name);
    this.#last.set(name, this.#count);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MAX_REMEMBERED && oldest !== undefined) this.#last.delete(oldest);
  }
}

interface Share {
  load: number;
  turn: number;
  oldestDueAt: number;
}

type OpenLane = ReturnType<typeof openLane>;

function openShares(ready: ReadyLane[], running: Map<string, number>, turns: Turns): Map<string, Share> {
  const loads = new Map<string, number>();
  for (const [lane, count] of running) add(loads, shareOf(lane).share, count);
  const shares = new Map<string, Share>();
  for (const { lane, oldestDueAt } of ready) {
    const { share } = shareOf(lane);
    const oldest = Math.min(oldestDueAt, shares.get(share)?.oldestDueAt ?? oldestDueAt);
    shares.set(share, { load: loads.get(share) ?? 0, turn: turns.lastOf(share), oldestDueAt: oldest });
  }
  return shares;
}

function openLane(lane: ReadyLane, shares: Map<string, Share>, running: Map<string, number>, turns: Turns) {
  const { share, priority } = shareOf(lane.lane);
  return {
    ...lane,
    keys: lane.lane.split("\n"),
    load: running.get(lane.lane) ?? 0,
    turn: turns.lastOf(lane.lane),
    priority,
    share: shares.get(share) as Share,
  };
}

/** Of those that are equal the first counts. */
function isBefore(lane: OpenLane, other: OpenLane): boolean {
  return lane.share === other.share ? lane.load < other.load : lane.share.load < other.share.load;
}

/** The concurrency keys under which no more may run than do: so many are running per lane. */
export function findFullKeys(running: Map<string, number>, limitOf: (key: string) => number | undefined): Set<string> {
  const used = [...countByKey(running)];
  return new Set(used.flatMap(([key, count]) => (count >= (limitOf(key) ?? Number.POSITIVE_INFINITY) ? [key] : [])));
}

function countByKey(running: Map<string, number>): Map<string, number> {
  const used = new Map<string, number>();
  for (const [lane, count] of running) for (const key of lane.split("\n")) add(used, key, count);
  return used;
}

function add(counts: Map<string, number>, key: string, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}
