import { setTimeout as delay, setImmediate as nextLook } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn } from "@/e2e/support/test-turns";
import { brokenLogConnections, db } from "@/lib/db/pool";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { claimAhead } from "@/lib/services/turns/claim-turn";
import { TurnLostError, TurnWriter } from "@/lib/services/turns/turn-writer";

let account: TestAccount;

useServiceDatabase();
beforeAll(async () => {
  account = await createTestAccount();
});

afterEach(() => vi.useRealTimers());

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

async function eventsOf(turnId: string) {
  const { rows } = await db().query("SELECT seq, type FROM session_events WHERE turn_id = $1 ORDER BY seq", [turnId]);
  return rows;
}

async function statusOf(turnId: string) {
  const { rows } = await db().query("SELECT status, generation FROM turns WHERE id = $1", [turnId]);
  return rows[0];
}

/** As a crash of the database does with what was committed last. */
async function loseEvents(turnId: string): Promise<void> {
  await db().query("DELETE FROM session_events WHERE turn_id = $1", [turnId]);
}

async function breakLogConnections(): Promise<void> {
  const before = brokenLogConnections();
  await db().query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'service-log' AND datname = current_database()",
  );
  await expect.poll(brokenLogConnections).toBeGreaterThan(before);
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

  it("tells how far the work is behind all text so far, one after another, and loses nothing of what comes meanwhile", async () => {
    const { writer, turnId } = await startWriter();
    writer.push("before, ");
    const told = [1, 2, 3].map((done) => writer.tell({ stage: "heard", done, total: 3, covers: "call.mp3" }));
    writer.push("meanwhile, ");
    await Promise.all(told);
    writer.push("after");
    expect(await writer.finish()).toBe("before, meanwhile, after");
    await writer.close();
    const { rows } = await db().query<{ type: string; data: { done?: number; delta?: string } }>(
      "SELECT type, data FROM session_events WHERE turn_id = $1 ORDER BY seq",
      [turnId],
    );
    expect(rows[0]?.data.delta).toMatch(/^before, /);
    expect(rows.flatMap(({ data }) => data.done ?? [])).toEqual([1, 2, 3]);
    expect(rows.map(({ data }) => data.delta ?? "").join("")).toBe("before, meanwhile, after");
  });

  it("tells nothing of a turn that is another's", async () => {
    const { writer, turnId } = await startWriter();
    await db().query("UPDATE turns SET generation = generation + 1 WHERE id = $1", [turnId]);
    const told = writer.tell({ stage: "making", done: 0, total: 1, covers: "a picture" });
    await expect(told).rejects.toBeInstanceOf(TurnLostError);
    expect(writer.signal.aborted).toBe(true);
    await writer.close();
  });

  it("goes on writing pieces as they come when the machine's clock is set back", async () => {
    const { writer, turnId } = await startWriter();
    writer.push("one, ");
    await expect.poll(() => deltasOf(turnId)).toEqual(["one, "]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
    writer.push("two");
    await expect.poll(() => deltasOf(turnId)).toEqual(["one, ", "two"]);
    await writer.close();
  });

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

  it("begins every attempt but the first with a reset above all that readers may have, also of text that is gone", async () => {
    const { writer: first, turnId } = await startWriter();
    await first.reset();
    first.push("one");
    await first.finish();
    await first.close();
    expect(await eventsOf(turnId)).toEqual([{ seq: 1, type: "chunk" }]);
    await loseEvents(turnId);
    const second = new TurnWriter(await claimedTurn(turnId));
    await second.reset();
    expect(await eventsOf(turnId)).toEqual([{ seq: 1_001, type: "reset" }]);
    await second.close();
    await loseEvents(turnId);
    const third = new TurnWriter(await claimedTurn(turnId));
    await third.reset();
    expect(await eventsOf(turnId)).toEqual([{ seq: 2_001, type: "reset" }]);
    await third.close();
  });

  it("resets nothing for a turn whose first claim was let go of", async () => {
    const { turnId } = await acceptTurn(account.principal, chatTurn());
    claimAhead(turnId)();
    await expect.poll(() => statusOf(turnId)).toEqual({ status: "queued", generation: 1 });
    const writer = new TurnWriter(await claimedTurn(turnId));
    await writer.reset();
    expect(await eventsOf(turnId)).toEqual([]);
    await writer.close();
  });

  it.each(["the last piece", "a further piece"])(
    "neither ends nor goes on when a crash of the database took what it wrote: %s",
    async (what) => {
      const { writer, turnId } = await startWriter();
      writer.push("one, ");
      await expect.poll(() => writer.text).toBe("one, ");
      await loseEvents(turnId);
      await breakLogConnections();
      if (what === "a further piece") {
        writer.push("two, ");
        await expect.poll(() => writer.signal.aborted).toBe(true);
      }
      await expect(writer.finishButLast()).rejects.toThrow("The database lost text of the answer.");
      expect(await eventsOf(turnId)).toEqual([]);
      await writer.close();
    },
  );

  it("goes on when connections broke and nothing is lost", async () => {
    const { writer, turnId } = await startWriter();
    writer.push("one, ");
    await expect.poll(() => writer.text).toBe("one, ");
    await breakLogConnections();
    writer.push("two.");
    expect(await writer.finish()).toBe("one, two.");
    await writer.close();
    expect(await deltasOf(turnId)).toEqual(["one, ", "two."]);
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

it("a writer that is closed gives no sign of life any more", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { writer } = await startWriter();
  const others = vi.getTimerCount() - 1;
  await writer.close();
  expect(vi.getTimerCount()).toBe(others);
});

it("what a worker says that has lost its turn is told to no reader of this process either", async () => {
  const { writer, turnId } = await startWriter();
  const told = vi.spyOn(sessionHub(), "tell");
  await db().query("UPDATE turns SET generation = generation + 1 WHERE id = $1", [turnId]);
  writer.push("Too late.");
  await expect(writer.finish()).rejects.toBeInstanceOf(TurnLostError);
  await writer.close();
  expect(told.mock.calls.filter(([event]) => event.turnId === turnId)).toEqual([]);
  told.mockRestore();
});
