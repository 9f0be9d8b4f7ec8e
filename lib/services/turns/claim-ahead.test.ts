import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { useTestSettings } from "@/e2e/support/test-settings";
import { closePools, db } from "@/lib/db/pool";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { claimAhead, claimTurn } from "@/lib/services/turns/claim-turn";

let database: TestDatabase;
let account: TestAccount;

beforeAll(async () => {
  database = await createTestDatabase();
  useTestSettings(database.url);
  account = await createTestAccount();
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(async () => {
  await closePools();
  await database.drop();
});

async function accept(sessionId?: string) {
  const turn = {
    endpoint: "POST /chat",
    requestId: "req_test",
    kind: "chat",
    input: "Hello",
    creditsToReserve: 1,
  } as const;
  return acceptTurn(account.principal, { ...turn, ...(sessionId && { sessionId }) });
}

async function stateOf(turnId: string) {
  const { rows } = await db().query("SELECT status, generation FROM turns WHERE id = $1", [turnId]);
  return rows[0];
}

describe("a turn that is claimed before its work begins", () => {
  it("is claimed once, for the work that then begins", async () => {
    const { turnId } = await accept();
    claimAhead(turnId);
    await expect.poll(() => stateOf(turnId)).toEqual({ status: "running", generation: 1 });
    expect(await claimTurn(turnId)).toMatchObject({ turnId, generation: 1, input: "Hello" });
    expect(await claimTurn(turnId)).toMatchObject({ generation: 2 });
  });

  it("is claimed anew when the work did not begin, or only much later", async () => {
    const { turnId } = await accept();
    claimAhead(turnId)();
    await expect.poll(() => stateOf(turnId)).toEqual({ status: "queued", generation: 1 });
    expect(await claimTurn(turnId)).toMatchObject({ generation: 2 });

    const late = await accept();
    const letGo = claimAhead(late.turnId);
    await expect.poll(() => stateOf(late.turnId)).toEqual({ status: "running", generation: 1 });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    expect(await claimTurn(late.turnId)).toMatchObject({ generation: 2 });
    // Nor does it then let go of what another has.
    letGo();
    await claimTurn((await accept()).turnId);
    expect(await stateOf(late.turnId)).toEqual({ status: "running", generation: 2 });
  });

  it("is not taken from whoever has it, nor before its turn has come", async () => {
    const { turnId, sessionId } = await accept();
    expect(await claimTurn(turnId)).toMatchObject({ generation: 1 });
    claimAhead(turnId)();
    const next = await accept(sessionId);
    claimAhead(next.turnId);
    expect(await claimTurn(next.turnId)).toBeNull();
    expect([await stateOf(turnId), await stateOf(next.turnId)]).toEqual([
      { status: "running", generation: 1 },
      { status: "queued", generation: 0 },
    ]);
  });
});
