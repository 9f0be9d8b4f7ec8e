import type { TakenReading } from "@/lib/services/turns/parts/take-reading";

/** The services behind the steps, each told on which attempt of its own it is. */
export interface ReadingSteps {
  /** Runs its work once per run, however often the function is called; what it returns is kept. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  take(): Promise<TakenReading | null>;
  /** @returns whether the reading goes on */
  read(generation: number, level: number, position: number): Promise<boolean>;
  /** @returns how many joins the level has; 0 when none is needed any more, null when the reading does not go on */
  planJoins(generation: number, level: number): Promise<number | null>;
}

/** More at once would take the model's rate limit from other turns of the account. */
const PARTS_AT_ONCE = 3;

/**
 * Reads a long document: its parts, then joins of their results, level by level, until what remains fits one call. Each is
 * a step, so that an engine that loses a call repeats only that one (docs/decisions/0014).
 * @returns whether the answer can be made; false when the turn ended or has another worker
 */
export async function readDocument(steps: ReadingSteps): Promise<boolean> {
  const taken = await steps.run("take-reading", () => steps.take());
  if (!taken) return false;
  const { generation, parts, missing = positionsBelow(parts) } = taken;
  let positions = missing;
  for (let level = 0, count = parts; count > 0; positions = positionsBelow(count)) {
    const name = level === 0 ? "read-part" : `join-parts-${level}`;
    const isWhole = await inLanes(positions, (position) =>
      steps.run(`${name}-${position + 1}`, () => steps.read(generation, level, position)),
    );
    if (!isWhole) return false;
    level += 1;
    const next = level;
    const joins = await steps.run(`plan-joins-${next}`, () => steps.planJoins(generation, next));
    if (joins === null) return false;
    count = joins;
  }
  return true;
}

const positionsBelow = (count: number) => Array.from({ length: count }, (_, position) => position);

/** Several at once, each lane one after another; a lane ends with the first that says so. */
async function inLanes(positions: readonly number[], work: (position: number) => Promise<boolean>): Promise<boolean> {
  const lanes = Array.from({ length: PARTS_AT_ONCE }, async (_, lane) => {
    for (const [index, position] of positions.entries()) {
      if (index % PARTS_AT_ONCE === lane && !(await work(position))) return false;
    }
    return true;
  });
  return (await Promise.all(lanes)).every(Boolean);
}
