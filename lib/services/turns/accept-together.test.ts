import { afterEach, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db, hotDb } from "@/lib/db/pool";
import { acceptTurn } from "@/lib/services/turns/accept-turn";

useServiceDatabase();

afterEach(() => vi.restoreAllMocks());

/** Accepts a call with this name; calls at once are one group. */
const accept = ({ principal }: TestAccount, name: string, creditsToReserve = 1) =>
  acceptTurn(principal, chatTurn({ input: name, creditsToReserve }));

/** Lets the test stand in for statements that accept: `answer` gets the names of their calls. */
function standIn(answer: (names: string[], ask: () => unknown) => unknown): void {
  const query = hotDb().query.bind(hotDb()) as (statement: unknown) => unknown;
  const isAccept = (statement: unknown): statement is { name: string; values: string[][] } =>
    (statement as { name?: string }).name === "accept-new-sessions";
  vi.spyOn(hotDb(), "query").mockImplementation(((statement: unknown) =>
    isAccept(statement) ? answer(statement.values[9] ?? [], () => query(statement)) : query(statement)) as never);
}

async function acceptedOf({ accountId }: TestAccount): Promise<string[]> {
  const { rows } = await db().query("SELECT input FROM turns WHERE account_id = $1 ORDER BY created_at", [accountId]);
  return rows.map(({ input }) => input);
}

const outcomes = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((result) => (result.status === "fulfilled" ? "accepted" : result.reason.code));

describe("calls of a group of which one account cannot pay for all of its own", () => {
  it.each([
    ["the connection breaks", "ECONNRESET"],
    ["the database refuses", "40P01"],
  ])("are accepted and stay so when %s for a call of that account, which alone fails", async (_what, code) => {
    const [rich, poor] = [await createTestAccount(), await createTestAccount({ credits: 1 })];
    standIn((names, ask) =>
      names.join() === "b" ? Promise.reject(Object.assign(new Error("away"), { code })) : ask(),
    );
    expect(await outcomes([accept(rich, "a"), accept(poor, "b"), accept(poor, "c")])).toEqual([
      "accepted",
      code,
      "accepted",
    ]);
    expect([await acceptedOf(rich), await acceptedOf(poor)]).toEqual([["a"], ["c"]]);
  });

  it("are answered, and followed by others, while that account's are still asked for", async () => {
    const [rich, poor] = [await createTestAccount(), await createTestAccount({ credits: 1 })];
    const held = Promise.withResolvers<void>();
    standIn(async (names, ask) => {
      if (names.join() === "b") await held.promise;
      return ask();
    });
    const first = accept(rich, "a");
    const waiting = outcomes([accept(poor, "b"), accept(poor, "c")]);
    await first;
    await accept(rich, "d");
    held.resolve();
    expect(await waiting).toEqual(["accepted", "INSUFFICIENT_CREDITS"]);
  });

  it("get that account's credits in the order in which they came, those of the next group after them", async () => {
    const poor = await createTestAccount({ credits: 4 });
    const asked: string[] = [];
    const later = Promise.withResolvers<unknown>();
    standIn((names, ask) => {
      asked.push(names.join());
      if (asked.length === 2) accept(poor, "d", 1).then(later.resolve, later.reject);
      return ask();
    });
    const first = [accept(poor, "a", 3), accept(poor, "b", 2), accept(poor, "c", 1)];
    expect(await outcomes([...first, later.promise])).toEqual([
      "accepted",
      "INSUFFICIENT_CREDITS",
      "accepted",
      "INSUFFICIENT_CREDITS",
    ]);
    expect(asked).toEqual(["a,b,c", "a", "b", "c", "d"]);
  });
});
