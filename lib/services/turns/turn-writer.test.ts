import { setTimeout as delay, setImmediate as nextLook } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { useTestSettings } from "@/e2e/support/test-settings";
import { chatTurn, claimedTurn } from "@/e2e/support/test-turns";
import { closePools, db } from "@/lib/db/pool";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { TurnLostError, TurnWriter } from "@/lib/services/turns/turn-writer";

let database: TestDatabase;
let account: TestAccount;

beforeAll(async () => {
  database = await createTestDatabase();
  useTestSettings(database.url);
  account = await createTestAccount();
});

afterAll(async () => {
  await closePools();
  await database.drop();
});

async function startWriter(): Promise<{ writer: TurnWriter; turnId: string }> {
  const { turnId } = await acceptTurn(account.principal, chatTurn());
  return { writer: new TurnWriter(await claimedTurn(turnId)), turnId };
}

async function deltasOf(turnId: string): Promise<string[]> {
  const { rows } = await db().query<{ data: { delta: string } }>(
    "SELECT data FROM session_events WHERE turn_id = $1 AND type = 'chunk' ORDER BY seq",
    [turnId],
  );
  return rows.map(({ data }) => data.delta);
}

describe("TurnWriter", () => {
  // At these distances the last piece falls before, into and behind a write, and into the wait after one.
  for (const gapMs of [0, 1, 3, 10, 19, 20, 21, 25]) {
    it(`has all text in the log when it finishes right after the last of pieces ${gapMs} ms apart`, async () => {
      const { writer, turnId } = await startWriter();
      let said = "";
      for (let piece = 0; piece < 8; piece++) {
        writer.push(`piece ${piece}, `);
        said += `piece ${piece}, `;
        if (gapMs > 0) await delay(gapMs);
      }
      writer.push("the end");
      expect(await writer.finish()).toBe(`${said}the end`);
      await writer.close();
      const deltas = await deltasOf(turnId);
      expect(deltas.join("")).toBe(`${said}the end`);
      expect(deltas).not.toContain("");
      expect(writer.signal.aborted).toBe(false);
    });
  }

  it("leaves the last piece to whoever ends the turn, and never a piece twice", async () => {
    const { writer, turnId } = await startWriter();
    writer.push("one, ");
    await nextLook();
    writer.push("two, ");
    const last = await writer.finishButLast();
    const inLog = (await deltasOf(turnId)).join("");
    expect([writer.text, inLog + last, last]).toEqual([inLog, "one, two, ", "two, "]);
    await writer.close();
    expect((await deltasOf(turnId)).join("")).toBe(inLog);
  });

  it("leaves an answer that arrives whole to whoever ends the turn", async () => {
    const { writer, turnId } = await startWriter();
    writer.push("one, ");
    writer.push("two.");
    expect([await writer.finishButLast(), writer.text]).toEqual(["one, two.", ""]);
    await writer.close();
    await nextLook();
    expect(await deltasOf(turnId)).toEqual([]);
  });

  it("loses the turn to a worker that took it, though both write in the same moment", async () => {
    const { writer: former, turnId } = await startWriter();
    const [busy, turn] = [await startWriter(), await claimedTurn(turnId)];
    const latter = new TurnWriter(turn);
    // While the first piece is written, those of both workers wait together.
    busy.writer.push("busy");
    await nextLook();
    former.push("old");
    latter.push("new");
    expect(await latter.finish()).toBe("new");
    await expect(former.finish()).rejects.toThrow(TurnLostError);
    expect(await deltasOf(turnId)).toEqual(["new"]);
    for (const writer of [former, latter, busy.writer]) await writer.close();
  });

  it("writes nothing more once it is closed", async () => {
    const { writer, turnId } = await startWriter();
    writer.push("one");
    await nextLook();
    writer.push("two");
    await writer.close();
    await expect.poll(() => deltasOf(turnId)).toEqual(["one"]);
    await delay(60);
    expect(await deltasOf(turnId)).toEqual(["one"]);
  });
});
