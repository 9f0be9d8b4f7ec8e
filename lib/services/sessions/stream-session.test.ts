import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { ChannelListener } from "@/lib/db/channel-listener";
import { db, hotDb, inTransaction } from "@/lib/db/pool";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { deleteSession } from "@/lib/services/sessions/delete-session";
import { Mailbox } from "@/lib/services/sessions/mailbox";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { openSessionStream, type StreamEvent } from "@/lib/services/sessions/stream-session";
import { type AcceptedTurn, acceptTurn } from "@/lib/services/turns/accept-turn";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";
import { endTurn } from "@/lib/services/turns/end-turn";
import { TurnWriter } from "@/lib/services/turns/turn-writer";
import { writeEnds } from "@/lib/services/turns/write-ends";

/** What a crash of the database took from the log is deleted here: readers have it, the log has not. */

const CANCELED = { status: "canceled", errorCode: "CANCELED", errorMessage: "The client canceled the call." } as const;

let account: TestAccount;
let turn: AcceptedTurn;

useServiceDatabase();
beforeAll(async () => {
  account = await createTestAccount();
});

beforeEach(async () => {
  turn = await acceptTurn(account.principal, chatTurn());
});

afterAll(() => sessionHub().close());

/** A reader that is connected: what it has so far, and all of it once the stream is over. */
async function follow(after?: number): Promise<{ seen: StreamEvent[]; all: Promise<StreamEvent[]> }> {
  const stream = await openSessionStream(account.principal, turn.sessionId, after === undefined ? {} : { after });
  const seen: StreamEvent[] = [];
  const read = async () => {
    for await (const event of stream?.(new AbortController().signal) ?? []) seen.push(event);
    return seen;
  };
  return { seen, all: read() };
}

/** A worker of the turn that has written these pieces, each an event of its own. */
async function work(pieces: string[]): Promise<{ writer: TurnWriter; generation: number }> {
  const claimed = await claimedTurn(turn.turnId);
  const writer = new TurnWriter(claimed);
  await writer.reset();
  for (const piece of pieces) {
    const before = writer.text;
    writer.push(piece);
    await expect.poll(() => writer.text, { interval: 1 }).toBe(before + piece);
  }
  return { writer, generation: claimed.generation };
}

/** Whoever lost the connection that announcements come by looks at once. */
async function dropAnnouncements(): Promise<void> {
  await db().query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'service-listen' AND datname = current_database()",
  );
}

async function lose(from: number): Promise<void> {
  await db().query("DELETE FROM session_events WHERE session_id = $1 AND seq >= $2", [turn.sessionId, from]);
}

async function complete({ writer, generation }: Awaited<ReturnType<typeof work>>): Promise<string> {
  const output = await writer.finish();
  await writer.close();
  expect(await endTurn(turn.turnId, generation, completedEnd({ output }))).toBe(true);
  return output;
}

function textOf(events: StreamEvent[]): string {
  const lastReset = events.findLastIndex(({ event }) => event === "reset");
  const chunks = events.slice(lastReset + 1).filter(({ event }) => event === "chunk");
  return chunks.map(({ data }) => (data as { delta: string }).delta).join("");
}

const terminalsOf = (events: StreamEvent[]) => events.filter(({ event }) => event === "completed" || event === "error");
const idsOf = (events: StreamEvent[]) => events.flatMap(({ id }) => id ?? []);

it("says an event in the same text as it comes and as it is read again", async () => {
  const live = await follow();
  await complete(await work(["one ", "two ", "three "]));
  const wordsOf = (events: StreamEvent[]) => events.slice(1).map(({ data }) => JSON.stringify(data));
  const words = wordsOf(await live.all);
  expect(words[0]).toBe(JSON.stringify({ sessionId: turn.sessionId, delta: "one " }));
  expect(words.at(-1)).toMatch(/^\{"type":"completion","sessionId":/);
  expect(wordsOf(await (await follow()).all)).toEqual(words);
});

it("reads from the log what it was too slow to hear: no more than 200 announcements wait for it", async () => {
  const mailbox = new Mailbox();
  const announcement = (seq: number) => ({ ...turn, seq, type: "chunk", data: "{}" });
  for (let seq = 1; seq <= 202; seq++) mailbox.put(announcement(seq));
  expect([await mailbox.take(0), await mailbox.take(0)]).toEqual([null, announcement(202)]);
});

it("is refused, and leaves nobody listening, when announcements cannot be heard", async () => {
  const heard: unknown[] = [];
  vi.spyOn(ChannelListener.prototype, "connect").mockRejectedValueOnce(new Error("The database is away."));
  const listening = sessionHub().subscribe(turn.sessionId, (event) => heard.push(event));
  await expect(listening).rejects.toThrow("The database is away.");
  sessionHub().tell({ ...turn, seq: 1, type: "chunk", data: "{}" });
  expect(heard).toEqual([]);
});

it("is told to look at the log once the connection that announcements come by was lost", async () => {
  const heard: unknown[] = [];
  const leave = await sessionHub().subscribe(turn.sessionId, (event) => heard.push(event));
  await dropAnnouncements();
  await expect.poll(() => heard).toEqual([null]);
  leave();
});

describe("a connected stream of which a crash of the database took events from the log", () => {
  it.each([
    ["the last pieces", 3],
    ["all pieces", 1],
  ])("joins to the output of the worker that comes next: %s are gone", async (_, from) => {
    const reader = await follow();
    const { writer } = await work(["one ", "two ", "three ", "four ", "five "]);
    await expect.poll(() => textOf(reader.seen)).toBe("one two three four five ");
    await writer.close();
    await lose(from);
    const output = await complete(await work(["another "]));
    const events = await reader.all;
    expect([textOf(events), terminalsOf(events)]).toEqual([output, [expect.objectContaining({ event: "completed" })]]);
    expect(idsOf(events)).toEqual(idsOf(events).toSorted((a, b) => a - b));
  });

  it("joins to the output after two crashes, of which the second took all that came after the first", async () => {
    const reader = await follow();
    const first = await work(["one ", "two "]);
    await expect.poll(() => textOf(reader.seen)).toBe("one two ");
    await first.writer.close();
    await lose(1);
    const second = await work(["another ", "of more ", "pieces "]);
    await expect.poll(() => textOf(reader.seen)).toBe("another of more pieces ");
    await second.writer.close();
    await lose(1);
    const output = await complete(await work(["last "]));
    expect(textOf(await reader.all)).toBe(output);
  });

  it("ends when the turn is canceled, and what comes next in the session goes on behind it", async () => {
    const reader = await follow();
    const { writer } = await work(["one ", "two ", "three "]);
    await expect.poll(() => textOf(reader.seen)).toBe("one two three ");
    await lose(2);
    expect(await cancelTurns(turn.sessionId)).toBe(1);
    await writer.close();
    const events = await reader.all;
    expect(terminalsOf(events)).toMatchObject([{ event: "error", data: { error: { code: "CANCELED" } } }]);
    expect(idsOf(events)).toEqual(idsOf(events).toSorted((a, b) => a - b));

    turn = await acceptTurn(account.principal, chatTurn({ sessionId: turn.sessionId }));
    const next = await follow(idsOf(events).at(-1));
    const output = await complete(await work(["the next"]));
    expect(textOf(await next.all)).toBe(output);
  });

  it("ends when its worker's own end takes a place that the reader has passed", async () => {
    const reader = await follow();
    const { writer, generation } = await work(["one ", "two ", "three "]);
    await expect.poll(() => textOf(reader.seen)).toBe("one two three ");
    await writer.close();
    await lose(1);
    const end = { status: "failed", errorCode: "MODEL_UNAVAILABLE", errorMessage: "It is away." } as const;
    expect(await endTurn(turn.turnId, generation, end)).toBe(true);
    expect(terminalsOf(await reader.all)).toMatchObject([{ event: "error", id: 1 }]);
  });

  it("finds such an end with its next look at the log when it heard nothing of it", async () => {
    const reader = await follow();
    const { writer, generation } = await work(["one ", "two ", "three "]);
    await expect.poll(() => textOf(reader.seen)).toBe("one two three ");
    await writer.close();
    await lose(1);
    const end = { status: "failed", errorCode: "MODEL_UNAVAILABLE", errorMessage: "It is away." } as const;
    const ending = { turnId: turn.turnId, generation, end };
    await inTransaction((tx) => writeEnds(tx, [ending], () => {}), hotDb());
    await dropAnnouncements();
    expect(terminalsOf(await reader.all)).toMatchObject([{ event: "error", id: 1 }]);
  });
});

describe("a connected stream whose session is deleted", () => {
  /** Cancels and deletes as another process does it: what it tells comes when nothing is left in the tables. */
  async function deleteElsewhere() {
    const ending = { turnId: turn.turnId, generation: null, end: CANCELED };
    const [ended] = await inTransaction((tx) => writeEnds(tx, [ending], () => {}), hotDb());
    await deleteSession(OPERATOR, account.principal, turn.sessionId);
    return ended?.event;
  }

  it("ends with the turn's end, which it hears of when the log is gone", async () => {
    const reader = await follow();
    const { writer } = await work(["one "]);
    await expect.poll(() => textOf(reader.seen)).toBe("one ");
    const event = await deleteElsewhere();
    if (event) sessionHub().tell({ ...event, turnId: turn.turnId, data: JSON.stringify(event.data) });
    await writer.close();
    const events = await reader.all;
    expect(events.map((each) => each.event)).toEqual(["status", "chunk", "error"]);
    expect(events.at(-1)).toMatchObject({ id: event?.seq, data: { error: { code: "CANCELED" } } });
  });

  it("ends with its next look at the log when it heard nothing of that", async () => {
    const reader = await follow();
    const { writer } = await work(["one "]);
    await expect.poll(() => textOf(reader.seen)).toBe("one ");
    await deleteElsewhere();
    await dropAnnouncements();
    await writer.close();
    expect((await reader.all).map(({ event }) => event)).toEqual(["status", "chunk"]);
  });
});
