/** Of an engine's tools what a part needs: it runs as a step of its own. */
interface Steps {
  run: (name: string, work: () => Promise<unknown>) => Promise<unknown>;
}

/** A part, by the name of its step. */
type Part = [name: string, work: () => Promise<unknown>];

/**
 * Runs the parts of a periodic function one after the other, each as a step. They have nothing to do with each other: one that
 * fails each time, by a row that it cannot take or a statement that became too slow, keeps none behind it from being done.
 * @returns what came of each that was done
 * @throws what made a part fail, after all others; of several each, in one AggregateError
 */
export async function runParts(step: Steps, parts: readonly Part[]): Promise<Record<string, unknown>> {
  const done: Record<string, unknown> = {};
  const failures: unknown[] = [];
  for (const [name, work] of parts) {
    try {
      done[name] = await step.run(name, work);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 1) throw new AggregateError(failures, failures.map(wordsOf).join(" "));
  for (const failure of failures) throw failure;
  return done;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
