import { Client, type QueryResult } from "pg";
import { vi } from "vitest";

/**
 * How a statement fails. `cut`: its connection breaks before it is sent. `lost`: it has effect, and the connection breaks before the
 * answer. `turned back`: the database ends its transaction in favour of another one.
 */
export type StatementFault = "cut" | "lost" | "turned back";

type Query = (...given: unknown[]) => Promise<QueryResult>;
type Callback = (error: unknown, result?: QueryResult) => void;

const TURN_BACK = "DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$";

/**
 * Runs work of which one statement fails, on whichever connection of this process it is.
 * @param which 1 for the first statement; with `of`, of those whose name (or text) matches
 * @returns what failed, null where the work has fewer statements; and what came of the work
 */
export async function whileFailing<T>(
  { number, of = /^/ }: { number: number; of?: RegExp },
  fault: StatementFault,
  work: () => Promise<T>,
): Promise<{ failed: string | null; outcome: PromiseSettledResult<T> }> {
  const query = Client.prototype.query as unknown as Query;
  let count = 0;
  let failed: string | null = null;
  const spy = vi.spyOn(Client.prototype, "query").mockImplementation(function (this: Client, ...given: unknown[]) {
    const text = textOf(given[0]);
    if (!of.test(text) || ++count !== number) return query.apply(this, given);
    failed = text;
    const callback = given.findLast((one) => typeof one === "function") as Callback | undefined;
    const asked = given.filter((one) => typeof one !== "function");
    const answer = fail(this, fault, () => query.apply(this, asked));
    if (!callback) return answer;
    return void answer.then((result) => callback(null, result), callback);
  } as never);
  const [outcome] = await Promise.allSettled([work()]);
  spy.mockRestore();
  return { failed, outcome };

  async function fail(client: Client, how: StatementFault, ask: () => Promise<QueryResult>): Promise<QueryResult> {
    if (how === "turned back") return query.call(client, TURN_BACK);
    if (how === "lost") await ask();
    client.connection.stream.destroy();
    // As the driver says it of what it has sent and of what comes later.
    throw new Error("Connection terminated unexpectedly");
  }
}

function textOf(given: unknown): string {
  if (typeof given === "string") return given;
  const { name, text } = given as { name?: string; text: string };
  return name ?? text;
}
