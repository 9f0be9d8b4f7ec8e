import { describe, expect, it } from "vitest";
import { booksOf, isAnswer, pages, partOf, partRows, reading, usePartsStage } from "@/e2e/support/parts-stage";
import { readingEngine, runTurnInParts as runTurn } from "@/e2e/support/reading-engine";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { eventsOf, readRow } from "@/e2e/support/turn-reads";
import { db } from "@/lib/db/pool";
import { creditsFor } from "@/lib/domain/credits";
import { newId } from "@/lib/domain/ids";
import { sweepRetention } from "@/lib/services/retention/sweep-retention";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";
import { readDocument } from "@/lib/services/turns/parts/read-document";
import { retryTurn } from "@/lib/services/turns/retry-turn";

const stage = usePartsStage();
const { answering } = stage;

const PAGES = 900;
const refused = { fault: { kind: "status", status: 400 } };

/** Numbers of the parts that the model was asked about. */
const askedParts = (from = 0) =>
  stage.model.journal.slice(from).flatMap((request) => (partOf(request) ? [Number(partOf(request)?.[1])] : []));

const keptParts = async (turnId: string): Promise<number[]> =>
  (await partRows(turnId)).map(({ position }) => position + 1);

const missingOf = (count: number, kept: number[]) =>
  Array.from({ length: count }, (_, index) => index + 1).filter((number) => !kept.includes(number));

async function retry({ principal }: TestAccount, sessionId: string): Promise<string> {
  const call = { sessionId, endpoint: "POST /chat/:sessionId/retry" };
  return (await retryTurn(principal, call, { requestId: newId("request") }, (accepted) => accepted)).turnId;
}

/** A turn whose reading the model refuses from the seventh part on. */
async function failedReading() {
  const account = await createTestAccount();
  answering("Notes.", (request) => (Number(partOf(request)?.[1] ?? 0) >= 7 ? refused : {}));
  const { sessionId, turnId } = await acceptTurn(account.principal, reading(pages(PAGES)));
  await runTurn(turnId);
  expect((await readRow("turns", turnId)).status).toBe("failed");
  const kept = await keptParts(turnId);
  expect(kept.length).toBeGreaterThanOrEqual(2);
  answering();
  stage.model.journal.length = 0;
  return { account, sessionId, turnId, kept };
}

describe("a document whose reading failed, tried again", () => {
  it("is read from where it failed, and charged once as if it had been read at once", async () => {
    const { account, sessionId, turnId, kept } = await failedReading();
    expect(await booksOf(account)).toMatchObject({ balance: 1_000, reserved: 0, charges: 0 });
    const again = await retry(account, sessionId);
    await runTurn(again);
    const turn = await readRow("turns", again);
    const { count } = turn.context.parts;
    expect(askedParts().toSorted((a, b) => a - b)).toEqual(missingOf(count, kept));
    const [answer] = stage.model.journal.filter(isAnswer);
    expect(answer?.lastUserText.match(/<document name="Notes: /g)).toHaveLength(count);
    expect(turn).toMatchObject({ status: "completed", output: expect.stringContaining(`Read in ${count} parts`) });
    const whole = await createTestAccount();
    const once = await acceptTurn(whole.principal, reading(pages(PAGES)));
    await runTurn(once.turnId);
    const { tokens_in, tokens_out, credits_used } = await readRow("turns", once.turnId);
    expect(turn).toMatchObject({ tokens_in, tokens_out, credits_used });
    expect(await booksOf(account)).toMatchObject({ balance: 1_000 - credits_used, reserved: 0, charges: 1 });
    expect([...(await partRows(turnId)), ...(await partRows(again))]).toEqual([]);
  });

  it("tells the timeline how much of it was read before, and the stream of no try that never was", async () => {
    const { account, sessionId, kept } = await failedReading();
    const again = await retry(account, sessionId);
    await runTurn(again);
    const { rows } = await db().query(
      "SELECT data FROM session_events WHERE turn_id = $1 AND type = 'progress' ORDER BY seq",
      [again],
    );
    expect(rows[0]?.data).toMatchObject({ stage: "planned", done: kept.length });
    expect(rows[1]?.data).toMatchObject({ stage: "read", done: kept.length + 1 });
    expect((await eventsOf(account, sessionId)).map(({ event }) => event)).not.toContain("reset");
  });

  it("goes on where it failed the second time as well", async () => {
    const { account, sessionId, turnId, kept } = await failedReading();
    answering("Notes.", (request) => (partOf(request)?.[1] === "9" ? refused : {}));
    const second = await retry(account, sessionId);
    await runTurn(second);
    expect(await partRows(turnId)).toEqual([]);
    const keptNow = await keptParts(second);
    expect(keptNow).toEqual(expect.arrayContaining(kept));
    answering();
    stage.model.journal.length = 0;
    const third = await retry(account, sessionId);
    await runTurn(third);
    const { status, context } = await readRow("turns", third);
    expect(status).toBe("completed");
    expect(askedParts().toSorted((a, b) => a - b)).toEqual(missingOf(context.parts.count, keptNow));
  });

  it("costs the queue a step for each part that is to be read, and none for the others", async () => {
    const { account, sessionId, kept } = await failedReading();
    const again = await retry(account, sessionId);
    await answerTurn(again, 0);
    const count = (await partRows(again)).length;
    const steps: string[] = [];
    expect(await readDocument(readingEngine(again, { steps }))).toBe(true);
    const read = missingOf(count, kept).map((number) => `read-part-${number}`);
    expect(steps.toSorted()).toEqual(["take-reading", "plan-joins-1", ...read].toSorted());
  });

  it("is read whole by a run that an older server began", async () => {
    const { account, sessionId, kept } = await failedReading();
    const again = await retry(account, sessionId);
    await answerTurn(again, 0);
    const engine = readingEngine(again);
    const take = async () => {
      const taken = await engine.take();
      return taken && { generation: taken.generation, parts: taken.parts };
    };
    expect(await readDocument({ ...engine, take })).toBe(true);
    expect(askedParts().toSorted((a, b) => a - b)).toEqual(missingOf((await partRows(again)).length, kept));
  });

  it("of which only the answer failed is answered without reading any of it", async () => {
    const account = await createTestAccount();
    answering("Notes.", (request) => (isAnswer(request) ? refused : {}));
    const { sessionId, turnId } = await acceptTurn(account.principal, reading(pages(PAGES)));
    await runTurn(turnId);
    expect((await readRow("turns", turnId)).status).toBe("failed");
    answering();
    stage.model.journal.length = 0;
    const again = await retry(account, sessionId);
    await runTurn(again);
    expect(stage.model.journal).toHaveLength(1);
    const turn = await readRow("turns", again);
    expect(turn.credits_used).toBe(creditsFor(turn.model, turn.tokens_in, turn.tokens_out));
    expect((await eventsOf(account, sessionId)).map(({ event }) => event)).not.toContain("reset");
  });

  it("that was canceled is read from where it stopped", async () => {
    const account = await createTestAccount();
    answering("Notes.", (request) => (Number(partOf(request)?.[1] ?? 0) > 3 ? { firstChunkMs: 60_000 } : {}));
    const { sessionId, turnId } = await acceptTurn(account.principal, reading(pages(PAGES)));
    await answerTurn(turnId, 0);
    const running = readDocument(readingEngine(turnId));
    await stage.model.waitForRequests(6);
    await cancelTurns(sessionId);
    await running;
    answering();
    stage.model.journal.length = 0;
    await runTurn(await retry(account, sessionId));
    expect(askedParts().filter((number) => number <= 3)).toEqual([]);
  });

  it("is read anew where the project's instructions are others by now", async () => {
    const { account, sessionId } = await failedReading();
    await db().query("UPDATE projects SET system_prompt = 'Write in verse.' WHERE id = $1", [account.projectId]);
    const again = await retry(account, sessionId);
    await runTurn(again);
    expect(askedParts()).toHaveLength((await readRow("turns", again)).context.parts.count);
  });

  it("is asked again for what the provider's filter had held back", async () => {
    const account = await createTestAccount();
    answering("", (request) => (partOf(request) ? { answer: "", finishReason: "content_filter" } : {}));
    const { sessionId, turnId } = await acceptTurn(account.principal, reading(pages(150)));
    await runTurn(turnId);
    expect((await readRow("turns", turnId)).status).toBe("failed");
    answering();
    await runTurn(await retry(account, sessionId));
    expect((await readRow("sessions", sessionId)).status).toBe("completed");
  });
});

describe("what is kept of a reading that failed", () => {
  it("is its notes alone, and none of the document's text", async () => {
    const { turnId } = await failedReading();
    const rows = await partRows(turnId);
    for (const row of rows) expect(row).toMatchObject({ level: 0, output: "Notes.", content: null });
  });

  it("goes with the next call of its session that is read in parts, whatever that asks", async () => {
    const { account, sessionId, turnId } = await failedReading();
    const other = await acceptTurn(account.principal, {
      ...reading(pages(150), { input: "Count the ships." }),
      sessionId,
    });
    await runTurn(other.turnId);
    expect(await partRows(turnId)).toEqual([]);
    expect(askedParts()).toHaveLength((await readRow("turns", other.turnId)).context.parts.count);
  });

  it("is kept for a day, and removed behind it", async () => {
    const [young, old] = [await failedReading(), await failedReading()];
    const running = await acceptTurn(young.account.principal, reading(pages(150)));
    await answerTurn(running.turnId, 0);
    const age = (turnId: string, hours: number) =>
      db().query("UPDATE turns SET ended_at = ended_at - make_interval(hours => $2) WHERE id = $1", [turnId, hours]);
    await age(young.turnId, 23);
    await age(old.turnId, 25);
    expect(await sweepRetention()).toMatchObject({ notes: old.kept.length, failures: 0 });
    expect(await partRows(old.turnId)).toEqual([]);
    expect(await partRows(young.turnId)).toHaveLength(young.kept.length);
    expect((await partRows(running.turnId)).length).toBeGreaterThan(0);
  });
});
