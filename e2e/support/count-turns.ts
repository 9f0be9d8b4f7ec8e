import { vi } from "vitest";

/**
 * How often others get to work while a piece of work gives way: as often as it looks at the clock, for here each of its slices
 * is over when it does (lib/give-way.ts).
 */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let seconds = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => 1_000 * seconds++);
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  try {
    await work();
  } finally {
    clearImmediate(timer);
    clock.mockRestore();
  }
  return turns;
}
