import { Client } from "pg";
import { onTestFinished, vi } from "vitest";

/** What work asked of the database, from where it is some milliseconds away. */
export interface Asked {
  /** Texts or names, in the order in which they were sent. */
  statements: string[];
  /** How often everything that was sent was answered before more was: each time is one way to the database and back. */
  waits: number;
  /** Of them those until the first commit was sent: for so long its locks are held. What is told behind it waits as it happens. */
  waitsToCommit: number;
}

/** Runs work and counts what it waits for; nothing else may ask this process' database meanwhile. */
export async function countWaits(work: () => Promise<unknown>): Promise<Asked> {
  const asked: Asked = { statements: [], waits: 0, waitsToCommit: 0 };
  let open = 0;
  let isCommitted = false;
  const query = Client.prototype.query as (...given: unknown[]) => unknown;
  const answered = () => {
    open -= 1;
  };
  const spy = vi.spyOn(Client.prototype, "query").mockImplementation(function (this: Client, ...given: unknown[]) {
    const [first] = given as [string | { name?: string; text: string }];
    const statement = typeof first === "string" ? first : (first.name ?? first.text);
    asked.statements.push(statement);
    if (open === 0) asked.waits += 1;
    if (!isCommitted) asked.waitsToCommit = asked.waits;
    isCommitted ||= statement === "COMMIT";
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
