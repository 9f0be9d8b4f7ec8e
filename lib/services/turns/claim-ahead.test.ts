import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { seedRegistration } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn } from "@/e2e/support/test-turns";
import { db, hotDb } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { metrics } from "@/lib/metrics";
import { processSingleton } from "@/lib/process-singleton";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";
import { findClaimedTurn } from "@/lib/services/turns/claim-together";
import { claimAhead, claimTurn, letGoAhead } from "@/lib/services/turns/claim-turn";
import { startRoom } from "@/lib/services/turns/start-room";
import type { TurnInput } from "@/lib/services/turns/turn-input";

let account: TestAccount;

useServiceDatabase();
beforeAll(async () => {
  account = await createTestAccount();
});

afterEach(() => {
  vi.useRealTimers();
  startRoom().hasRoom = () => false;
});

function accept(more: Partial<TurnInput> = {}, { principal } = account) {
  return acceptTurn(principal, chatTurn(more));
}

async function stateOf(turnId: string) {
  const { rows } = await db().query("SELECT status, generation FROM turns WHERE id = $1", [turnId]);
  return rows[0];
}

/** Lets go of a claim, and waits until the database has heard of it. */
async function letGoOf(letGo: () => void): Promise<void> {
  const query = vi.spyOn(hotDb(), "query");
  letGo();
  const place = () =>
    query.mock.calls.findIndex(([statement]) => (statement as { name?: string }).name === "let-go-of-turn");
  await expect.poll(place).toBeGreaterThan(-1);
  await query.mock.results[place()]?.value;
  query.mockRestore();
}

/** Of all turns so far, in seconds. */
async function waitsSeen(): Promise<number> {
  const { values } = await metrics().turnWaitSeconds.get();
  return values.find(({ metricName }) => metricName?.endsWith("_sum"))?.value ?? 0;
}

describe("a turn that is claimed before its work begins", () => {
  it("is claimed once, for the work that then begins", async () => {
    const { turnId } = await accept();
    claimAhead(turnId);
    await expect.poll(() => stateOf(turnId)).toEqual({ status: "running", generation: 1 });
    expect(await claimTurn(turnId)).toMatchObject({ turnId, generation: 1, input: "Hello" });
    expect(await claimTurn(turnId)).toMatchObject({ generation: 2 });
  });

  it("has waited by the database's clock: that of the machine which claims it may be off", async () => {
    const { turnId } = await accept();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 300_000 });
    const before = await waitsSeen();
    await claimTurn(turnId);
    const waited = (await waitsSeen()) - before;
    expect(waited).toBeGreaterThan(0);
    expect(waited).toBeLessThan(200);
  });

  it("is claimed anew when the work did not begin, or only much later", async () => {
    const { turnId } = await accept();
    claimAhead(turnId)();
    await expect.poll(() => stateOf(turnId)).toEqual({ status: "queued", generation: 1 });
    expect(await claimTurn(turnId)).toMatchObject({ generation: 2 });

    const late = await accept();
    const letGo = claimAhead(late.turnId);
    await expect.poll(() => stateOf(late.turnId)).toEqual({ status: "running", generation: 1 });
    vi.useFakeTimers({ toFake: ["performance"] });
    vi.advanceTimersByTime(3_600_000);
    expect(await claimTurn(late.turnId)).toMatchObject({ generation: 2 });
    // Nor does it then let go of what another has.
    letGo();
    await claimTurn((await accept()).turnId);
    expect(await stateOf(late.turnId)).toEqual({ status: "running", generation: 2 });
  });

  it("is kept in mind no longer than its work takes to begin", async () => {
    const [forgotten, next] = [await accept(), await accept()];
    vi.useFakeTimers({ toFake: ["performance"] });
    claimAhead(forgotten.turnId);
    vi.advanceTimersByTime(2_000);
    claimAhead(next.turnId);
    const kept = processSingleton("claims-ahead", () => new Map<string, unknown>());
    expect([...kept.keys()]).toEqual([next.turnId]);
  });

  it("is not let go of when another process has claimed it meanwhile", async () => {
    const { turnId } = await accept();
    const letGo = claimAhead(turnId);
    await expect.poll(() => stateOf(turnId)).toEqual({ status: "running", generation: 1 });
    await db().query("UPDATE turns SET generation = 2 WHERE id = $1", [turnId]);
    await letGoOf(letGo);
    expect(await stateOf(turnId)).toEqual({ status: "running", generation: 2 });
  });

  it("stays as it ended when it is let go of afterwards", async () => {
    const { turnId, sessionId } = await accept();
    const letGo = claimAhead(turnId);
    await expect.poll(() => stateOf(turnId)).toEqual({ status: "running", generation: 1 });
    await cancelTurns(sessionId);
    await letGoOf(letGo);
    expect(await stateOf(turnId)).toEqual({ status: "canceled", generation: 1 });
  });

  it("is not taken from whoever has it, nor before its turn has come", async () => {
    const { turnId, sessionId } = await accept();
    expect(await claimTurn(turnId)).toMatchObject({ generation: 1 });
    claimAhead(turnId)();
    const next = await accept({ sessionId });
    claimAhead(next.turnId);
    expect(await claimTurn(next.turnId)).toBeNull();
    expect([await stateOf(turnId), await stateOf(next.turnId)]).toEqual([
      { status: "running", generation: 1 },
      { status: "queued", generation: 0 },
    ]);
  });
});

describe("a turn that is accepted while its work can begin at once", () => {
  /** A project in which everything that a claim tells of is set. */
  async function settledAccount(): Promise<TestAccount> {
    const settled = await createTestAccount({ credits: 1_000 });
    const { accountId, projectId } = settled;
    await db().query(
      "UPDATE projects SET model = 'gpt-4o', system_prompt = 'Be kind.', api_enabled = true, api_memory_per_user = true WHERE id = $1",
      [projectId],
    );
    await db().query(
      "INSERT INTO knowledge_files (id, project_id, path, content, sha256, token_count) VALUES ($1, $2, 'a.md', 'A', 'x', 1)",
      [newId("knowledgeFile"), projectId],
    );
    const secret = newWebhookSecret();
    await seedRegistration({
      accountId,
      projectId,
      url: "https://receiver.test/",
      secret,
      events: ["session.started"],
    });
    return settled;
  }

  it.each(["with nothing but a message", "with all there is"])("is claimed as any other: %s", async (which) => {
    const isFull = which === "with all there is";
    const principal = (isFull ? await settledAccount() : await createTestAccount({ credits: 1_000 })).principal;
    // One that came later has settings of its own.
    await settledAccount();
    const more = isFull
      ? {
          endUserId: "user-1",
          input: "\ud800 half",
          fileContent: "Text, half \udc00",
          maxCredits: 9,
          callbackUrl: "https://receiver.test/call",
          prompt: "Sum",
        }
      : {};
    const waiting = await accept(more, { ...account, principal });
    const {
      turnId: _,
      sessionId: __,
      createdAt: ___,
      waitedSeconds: ____,
      ...usual
    } = await claimedTurn(waiting.turnId);
    startRoom().hasRoom = () => true;
    const begun = await accept(more, { ...account, principal });
    expect(await stateOf(begun.turnId)).toEqual({ status: "running", generation: 1 });
    const claimed = await claimTurn(begun.turnId);
    const { rows } = await db().query(`SELECT created_at AS "createdAt", started_at FROM turns WHERE id = $1`, [
      begun.turnId,
    ]);
    // The second call has promised its credits too.
    const creditsFree = usual.creditsFree - usual.creditsReserved;
    const { createdAt } = rows[0];
    const { turnId, sessionId } = begun;
    expect(claimed).toEqual({
      ...usual,
      creditsFree,
      turnId,
      sessionId,
      createdAt,
      waitedSeconds: expect.closeTo(0, 2),
    });
    const waitedSeconds = expect.any(Number);
    expect(await findClaimedTurn(turnId, 1), "by whoever goes on with it").toEqual({ ...claimed, waitedSeconds });
    expect(rows[0].started_at).toEqual(createdAt);
    expect(await claimTurn(begun.turnId)).toMatchObject({ generation: 2 });
  });

  it("is claimed once: what is about to begin takes the claim that is there", async () => {
    startRoom().hasRoom = () => true;
    const { turnId } = await accept();
    const letGo = claimAhead(turnId);
    expect(await stateOf(turnId)).toEqual({ status: "running", generation: 1 });
    letGo();
    await expect.poll(() => stateOf(turnId)).toEqual({ status: "queued", generation: 1 });
  });

  it("waits when there was no room after all, for whoever begins it", async () => {
    startRoom().hasRoom = () => true;
    const { turnId } = await accept();
    letGoAhead(turnId);
    await expect.poll(() => stateOf(turnId)).toEqual({ status: "queued", generation: 1 });
    expect(await claimTurn(turnId)).toMatchObject({ turnId, generation: 2 });
  });

  it("is not claimed when its session was there before, or when more has to be stored with it", async () => {
    startRoom().hasRoom = () => true;
    const { sessionId } = await accept();
    const next = await accept({ sessionId });
    const kept = await acceptTurn(account.principal, chatTurn(), async () => {});
    for (const { turnId } of [next, kept]) expect(await stateOf(turnId)).toEqual({ status: "queued", generation: 0 });
  });
});
