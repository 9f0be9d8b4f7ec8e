/** Items of one lane share their concurrency keys: the lines of the lane's name. */
export interface ReadyLane {
  lane: string;
  /** How many are ready, counted up to a little more than could be taken. */
  ready: number;
  /** Milliseconds since the epoch. */
  oldestDueAt: number;
}

/**
 * Decides how many items of each lane are taken next: within every limit, one by one from the lane with the
 * fewest running items (the one that waits longest among equals), so that a flood in one lane cannot starve another.
 * @param running leased items per lane, of all runners
 * @param limitOf the limit of a concurrency key, undefined for none
 * @param free how many may be taken at all
 */
export function planClaims(
  ready: ReadyLane[],
  running: Map<string, number>,
  limitOf: (key: string) => number | undefined,
  free: number,
): Map<string, number> {
  const used = countByKey(running);
  const granted = new Map<string, number>();
  let open = ready.map((lane) => ({ ...lane, keys: lane.lane.split("\n"), load: running.get(lane.lane) ?? 0 }));
  open.sort((a, b) => a.oldestDueAt - b.oldestDueAt);
  for (let left = free; left > 0; left--) {
    open = open.filter(
      ({ ready, keys }) =>
        ready > 0 && keys.every((key) => (used.get(key) ?? 0) < (limitOf(key) ?? Number.POSITIVE_INFINITY)),
    );
    const next = open.reduce(
      (least, lane) => (lane.load < least.load ? lane : least),
      open[0] as (typeof open)[number],
    );
    if (!next) break;
    next.ready--;
    next.load++;
    for (const key of next.keys) add(used, key, 1);
    add(granted, next.lane, 1);
  }
  return granted;
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
