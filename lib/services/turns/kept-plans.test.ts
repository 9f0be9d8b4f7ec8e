import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keptPlan } from "@/e2e/support/kept-plan";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { hotDb, logDb } from "@/lib/db/pool";
import { findStreamStart } from "@/lib/services/sessions/find-stream-start";
import { getChatSession } from "@/lib/services/sessions/get-chat-session";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { appendEvent } from "@/lib/services/turns/append-event";
import { endTurn } from "@/lib/services/turns/end-turn";

useServiceDatabase();
beforeAll(async () => {
  const { principal } = await createTestAccount();
  const { turnId, sessionId } = await acceptTurn(principal, chatTurn());
  const claimed = await claimedTurn(turnId);
  const { generation } = claimed;
  await appendEvent({
    sessionId,
    turnId,
    generation,
    type: "chunk",
    data: JSON.stringify({ sessionId, delta: "Yes." }),
    seq: 1,
  });
  expect(await endTurn(turnId, generation, completedEnd(), claimed)).toBe(true);
  const next = await acceptTurn(principal, chatTurn({ sessionId }));
  expect(
    await findStreamStart({ sessionId, projectId: principal.projectId, endUserId: undefined, after: 0 }),
  ).toBeDefined();
  expect(await getChatSession(principal, sessionId)).toMatchObject({ status: "resumed" });
  // Whoever ends a turn from outside knows nothing of it: settling it and closing it are two statements.
  expect(await endTurn(next.turnId, null, completedEnd())).toBe(true);
});

afterAll(() => sessionHub().close());

describe("statements whose plans were made while no turn was open", () => {
  it.each([
    ["claim-turns", hotDb],
    ["settle-turns", hotDb],
    ["close-turns", hotDb],
    ["append-events", logDb],
  ])("%s reads no more of the open turns than it is about", async (name, pool) => {
    const plan = await keptPlan(pool(), name);
    // These indexes are of all open turns: with a condition one is read for a session.
    const lines = plan.split("\n");
    const wholeReads = lines.filter(
      (line, index) => line.includes("turns_open_") && !/Index Cond: .*session_id/.test(lines[index + 1] ?? ""),
    );
    expect(wholeReads, plan).toEqual([]);
  });
});

describe("statements whose plans were made while there was no session", () => {
  it.each([
    ["get-chat-sessions", hotDb],
    ["stream-starts", hotDb],
    ["accept-next-turn", hotDb],
    ["settle-turns", hotDb],
  ])("%s looks sessions up by their ids, and reads none of its project's others", async (name, pool) => {
    const plan = await keptPlan(pool(), name);
    expect(new Set(plan.match(/\bsessions_[a-z]\w+/g)), plan).toEqual(new Set(["sessions_pkey"]));
  });
});

describe("statements whose plans were made while the log had few events", () => {
  it("stream-starts looks its place in the log up by session and id", async () => {
    const plan = await keptPlan(hotDb(), "stream-starts");
    expect(plan).toMatch(/session_events_pkey on session_events\n\s+Index Cond: .*\bseq >= q\.after\b/);
  });
});
