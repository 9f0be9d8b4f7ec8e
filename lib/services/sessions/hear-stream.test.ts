import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { Mailbox } from "@/lib/services/sessions/mailbox";
import { type AnnouncedEvent, sessionHub } from "@/lib/services/sessions/session-hub";
import { openSessionStream, type StreamEvent } from "@/lib/services/sessions/stream-session";
import { type AcceptedTurn, acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

/** Events as another process writes them: into the log, and then some of them are heard of, whole or not, in any order. */

let account: TestAccount;
let turn: AcceptedTurn;

useServiceDatabase();
beforeAll(async () => {
  account = await createTestAccount();
});

beforeEach(async () => {
  turn = await acceptTurn(account.principal, chatTurn());
});

afterEach(() => vi.restoreAllMocks());

afterAll(() => sessionHub().close());

const eventOf = (seq: number, isLast = false): AnnouncedEvent => ({
  ...turn,
  seq,
  type: isLast ? "completed" : "chunk",
  data: JSON.stringify({ sessionId: turn.sessionId, delta: `${seq}` }),
});

/** Into the log, in the order in which they are given. */
async function write(events: AnnouncedEvent[]): Promise<void> {
  await db().query(
    `INSERT INTO session_events (session_id, seq, turn_id, type, data)
     SELECT $1, e.* FROM unnest($2::int[], $3::text[], $4::text[], $5::jsonb[]) AS e`,
    [
      turn.sessionId,
      events.map(({ seq }) => seq),
      events.map(({ turnId }) => turnId),
      events.map(({ type }) => type),
      events.map(({ data }) => data),
    ],
  );
}

async function follow(after = 0) {
  const abort = new AbortController();
  const stream = await openSessionStream(account.principal, turn.sessionId, { after });
  const seen: StreamEvent[] = [];
  const read = async () => {
    for await (const event of stream?.(abort.signal) ?? []) seen.push(event);
    return seen.flatMap(({ id }) => id ?? []);
  };
  return { seen, ids: read(), leave: () => abort.abort() };
}

describe("a connected stream", () => {
  it("reads what it was not told of before what it heard, and what was announced without its words", async () => {
    const reader = await follow();
    await write([1, 2, 3].map((seq) => eventOf(seq)));
    sessionHub().tell(eventOf(3));
    await expect.poll(() => reader.seen.length).toBe(4);
    await write([eventOf(4), eventOf(5, true)]);
    sessionHub().tell({ ...eventOf(4), data: null });
    expect(await reader.ids).toEqual([1, 2, 3, 4, 5]);
  });

  it("gives each event once, however often it is announced", async () => {
    const reader = await follow();
    const events = [eventOf(1), eventOf(2), eventOf(3, true)];
    await write(events);
    for (const event of [events[0], events[0], events[1], events[0], events[2]]) if (event) sessionHub().tell(event);
    expect(await reader.ids).toEqual([1, 2, 3]);
  });

  it("goes on when another turn of the session ends", async () => {
    const reader = await follow();
    const queued = await acceptTurn(account.principal, chatTurn({ sessionId: turn.sessionId }));
    const end = { status: "canceled", errorCode: "CANCELED", errorMessage: "Stop." } as const;
    expect(await endTurn(queued.turnId, null, end)).toBe(true);
    await write([eventOf(2), eventOf(3, true)]);
    for (const event of [eventOf(2), eventOf(3, true)]) sessionHub().tell(event);
    expect(await reader.ids).toEqual([2, 3]);
    expect(reader.seen.map(({ event }) => event)).toEqual(["status", "chunk", "completed"]);
  });

  it("follows a turn of which its reader has all that there is so far", async () => {
    await write([eventOf(1), eventOf(2)]);
    const reader = await follow(2);
    await write([eventOf(3, true)]);
    sessionHub().tell(eventOf(3, true));
    expect(await reader.ids).toEqual([3]);
  });

  it("reads a long answer in order, however it lies in the table", async () => {
    const events = Array.from({ length: 1_200 }, (_, index) => eventOf(index + 1, index === 1_199));
    await write(events.toReversed());
    const take = vi.spyOn(Mailbox.prototype, "take");
    const ids = await (await follow()).ids;
    expect(ids).toEqual(events.map(({ seq }) => seq));
    expect(take, "nor does it wait for news in between").not.toHaveBeenCalled();
  });
});

describe("a session that nobody follows any more", () => {
  const heard = () => vi.spyOn(Mailbox.prototype, "put");

  it("is let go of when its reader leaves", async () => {
    const reader = await follow();
    await expect.poll(() => reader.seen.length).toBe(1);
    reader.leave();
    await reader.ids;
    const put = heard();
    sessionHub().tell(eventOf(1));
    expect(put).not.toHaveBeenCalled();
  });

  it.each<[string, () => Promise<unknown>]>([
    ["is another's", async () => openSessionStream((await createTestAccount()).principal, turn.sessionId, {})],
    ["has nothing more to say", () => openSessionStream(account.principal, turn.sessionId, { after: 1 })],
  ])("is let go of when it %s", async (_, open) => {
    const end = { status: "canceled", errorCode: "CANCELED", errorMessage: "Stop." } as const;
    await endTurn(turn.turnId, null, end);
    await open().catch(() => {});
    const put = heard();
    sessionHub().tell(eventOf(2));
    expect(put).not.toHaveBeenCalled();
  });
});
