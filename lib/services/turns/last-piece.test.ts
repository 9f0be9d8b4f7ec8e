import { afterAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

useServiceDatabase();

afterAll(() => sessionHub().close());

async function claimedNew() {
  const { principal } = await createTestAccount();
  const { turnId, sessionId } = await acceptTurn(principal, chatTurn());
  return { turnId, sessionId, claimed: await claimedTurn(turnId) };
}

describe("the last piece of an answer", () => {
  it("comes into the log with the end, right before the terminal event, and is announced", async () => {
    const { turnId, sessionId, claimed } = await claimedNew();
    const heard: (string | undefined)[] = [];
    const forget = await sessionHub().subscribe(sessionId, (event) => heard.push(event?.type));
    const end = completedEnd({ output: "Yes.", lastDelta: "Yes." });
    expect(await endTurn(turnId, claimed.generation, end, claimed)).toBe(true);
    const { rows } = await db().query(
      "SELECT seq, type, data ->> 'delta' AS delta FROM session_events WHERE session_id = $1 ORDER BY seq",
      [sessionId],
    );
    expect(rows).toEqual([
      { seq: 1, type: "chunk", delta: "Yes." },
      { seq: 2, type: "completed", delta: null },
    ]);
    await expect.poll(() => heard).toEqual(["chunk", "completed"]);
    forget();
  });

  it("is not written where all of the answer was there before", async () => {
    const { turnId, sessionId, claimed } = await claimedNew();
    expect(await endTurn(turnId, claimed.generation, completedEnd(), claimed)).toBe(true);
    const { rows } = await db().query("SELECT seq, type FROM session_events WHERE session_id = $1", [sessionId]);
    expect(rows).toEqual([{ seq: 1, type: "completed" }]);
  });

  it("of a worker that lost its turn is not written", async () => {
    const { turnId, sessionId, claimed: lost } = await claimedNew();
    await claimedTurn(turnId);
    const end = completedEnd({ lastDelta: "Yes." });
    expect(await endTurn(turnId, 1, end, lost)).toBe(false);
    const { rows } = await db().query("SELECT FROM session_events WHERE session_id = $1", [sessionId]);
    expect(rows).toEqual([]);
  });
});
