import { Client } from "pg";
import { onTestFinished, vi } from "vitest";

/** What work asked of the database, from where it is some milliseconds away. */
export interface Asked {
  /** Texts or names, in the order in which they were sent. */
  statements: string[];
  /** How often everything that was sent was answered before more was: each time is one way to the database and back. */
  waits: number;
}

/** Runs work and counts what it waits for; nothing else may ask this process' database meanwhile. */
export async function countWaits(work: () => Promise<unknown>): Promise<Asked> {
  const asked: Asked = { statements: [], waits: 0 };
  let open = 0;
  const query = Client.prototype.query as (...given: unknown[]) => unknown;
  const answered = () => {
    open -= 1;
  };
  const spy = vi.spyOn(Client.prototype, "query").mockImplementation(function (this: Client, ...given: unknown[]) {
    const [statement] = given as [string | { name?: string; text: string }];
    asked.statements.push(typeof statement === "string" ? statement : (statement.name ?? statement.text));
    if (open === 0) asked.waits += 1;
    open += 1;
    const callback = given.at(-1);
    if (typeof callback !== "function") {
      const answer = query.apply(this, given) as Promise<unknown>;
      answer.then(answered, answered);
      return answer;
    }
    return query.apply(this, [
      ...given.slice(0, -1),
      (...answer: unknown[]) => {
        answered();
        callback(...answer);
      },
    ]);
  } as never);
  onTestFinished(() => spy.mockRestore());
  await work();
  spy.mockRestore();
  return asked;
}
