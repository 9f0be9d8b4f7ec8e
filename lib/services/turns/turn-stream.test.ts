import { describe, expect, it } from "vitest";
import { createTestAccount } from "@/e2e/support/test-account";
import { eventsOf, readRow, readToEnd, streamedText } from "@/e2e/support/turn-reads";
import { message, useTurnStage } from "@/e2e/support/turn-stage";
import { db } from "@/lib/db/pool";
import { openSessionStream } from "@/lib/services/sessions/stream-session";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";

useTurnStage();

describe("the stream", () => {
  it("goes on after an event with no gap and no repeat", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(
      account.principal,
      message("long [[size:100]] [[chunk:10]] [[slow:25ms]]"),
    );
    await answerTurn(turnId, 0);
    const whole = (await eventsOf(account, sessionId)).filter(({ id }) => id !== undefined);
    expect(whole.length).toBeGreaterThan(3);
    for (const { id } of whole.slice(0, -1)) {
      const rest = (await eventsOf(account, sessionId, { after: id ?? 0 })).filter((event) => event.id !== undefined);
      expect(rest).toEqual(whole.filter((event) => (event.id ?? 0) > (id ?? 0)));
    }
    expect(await openSessionStream(account.principal, sessionId, { after: whole.at(-1)?.id ?? 0 })).toBeNull();
  });

  it("ends with its turn, also for a client that names an event which is still to come", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, message("[[answer:here]]"));
    const stream = await openSessionStream(account.principal, sessionId, { after: 1_000 });
    await answerTurn(turnId, 0);
    expect(await readToEnd(stream)).toEqual([
      { event: "status", data: { sessionId, status: "started" } },
      ...(await eventsOf(account, sessionId)).slice(1),
    ]);
  });

  it("covers the latest turn alone", async () => {
    const account = await createTestAccount();
    const first = await acceptTurn(account.principal, message("[[answer:first]]"));
    await answerTurn(first.turnId, 0);
    const second = await acceptTurn(account.principal, message("[[answer:second]]", { sessionId: first.sessionId }));
    await answerTurn(second.turnId, 0);
    expect(streamedText(await eventsOf(account, first.sessionId))).toBe("second");
  });

  it("says nothing of the turn before, which is answered while it waits", async () => {
    const account = await createTestAccount();
    const first = await acceptTurn(account.principal, message("[[answer:first]]"));
    const second = await acceptTurn(account.principal, message("[[answer:second]]", { sessionId: first.sessionId }));
    const stream = await openSessionStream(account.principal, first.sessionId, {});
    await answerTurn(first.turnId, 0);
    await answerTurn(second.turnId, 0);
    expect(streamedText(await readToEnd(stream))).toBe("second");
  });

  it("survives the loss of its listening connection", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, message("still there [[size:200]]"));
    const following = eventsOf(account, sessionId);
    await expect
      .poll(
        async () =>
          (
            await db().query(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'service-listen' AND datname = current_database()",
            )
          ).rowCount,
      )
      .toBeGreaterThan(0);
    await answerTurn(turnId, 0);
    expect(streamedText(await following)).toBe((await readRow("sessions", sessionId)).last_output);
  });
});
