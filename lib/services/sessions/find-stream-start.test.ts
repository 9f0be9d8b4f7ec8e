import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { findStreamStart } from "@/lib/services/sessions/find-stream-start";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { openSessionStream, type SessionStream, type StreamEvent } from "@/lib/services/sessions/stream-session";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { appendEvent } from "@/lib/services/turns/append-event";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { endTurn } from "@/lib/services/turns/end-turn";

let account: TestAccount;
let sessionId: string;
/** The session's first turn: at work, with the events 1 to 4. */
let first: ClaimedTurn;

useServiceDatabase();
beforeAll(async () => {
  account = await createTestAccount();
});

beforeEach(async () => {
  const accepted = await acceptTurn(account.principal, chatTurn());
  sessionId = accepted.sessionId;
  first = await claimedTurn(accepted.turnId);
  for (const [index, delta] of ["a", "b", "c", "d"].entries()) await say(first, index + 1, delta);
});

afterAll(() => sessionHub().close());

async function say({ turnId, generation }: ClaimedTurn, seq: number, delta: string): Promise<void> {
  const event = { sessionId, turnId, generation, seq, type: "chunk", data: JSON.stringify({ sessionId, delta }) };
  expect(await appendEvent(event)).toBe(true);
}

async function complete({ turnId, generation }: ClaimedTurn, output: string): Promise<void> {
  expect(await endTurn(turnId, generation, completedEnd({ output }))).toBe(true);
}

/** Another turn behind what is there. @returns its id */
async function post(): Promise<string> {
  return (await acceptTurn(account.principal, chatTurn({ sessionId }))).turnId;
}

/** A turn that says its one piece and ends. */
async function answer(turnId: string, output: string): Promise<void> {
  const turn = await claimedTurn(turnId);
  await say(turn, turn.lastSeq + 1, output);
  await complete(turn, output);
}

const open = (after?: number) => openSessionStream(account.principal, sessionId, after === undefined ? {} : { after });

async function readToEnd(stream: SessionStream | null): Promise<StreamEvent[]> {
  const abort = new AbortController();
  const events: StreamEvent[] = [];
  for await (const event of stream?.(abort.signal) ?? []) events.push(event);
  abort.abort();
  return events;
}

/** What a stream said behind its status, in short: "5 e", "6 completed". */
async function read(stream: SessionStream | null): Promise<string[] | null> {
  if (!stream) return null;
  const [status, ...events] = await readToEnd(stream);
  expect(status).toMatchObject({ event: "status", data: { sessionId } });
  return events.map(({ id, event, data }) => {
    const { delta, error } = data as { delta?: string; error?: { code: string } };
    return `${id} ${delta ?? error?.code ?? event}`;
  });
}

/** Turns 1 to 4, all over; the third was canceled while it waited. */
async function letFourTurnsPass(): Promise<void> {
  await complete(first, "abcd");
  await answer(await post(), "two");
  await post();
  expect(await cancelTurns(sessionId)).toBe(1);
  await answer(await post(), "four");
}

describe("a stream that is taken up after an event of a turn that is not the latest", () => {
  it("follows that turn live to its end while the next one waits", async () => {
    await post();
    const stream = await open(3);
    await say(first, 5, "e");
    await complete(first, "abcde");
    expect(await read(stream)).toEqual(["4 d", "5 e", "6 completed"]);
  });

  it("gives the rest of that turn, and nothing of the next, when both are over", async () => {
    await complete(first, "abcd");
    await answer(await post(), "two");
    expect(await read(await open(2))).toEqual(["3 c", "4 d", "5 completed"]);
    expect(await read(await open(4))).toEqual(["5 completed"]);
  });

  it("tells that the turn was canceled when another followed at once", async () => {
    expect(await cancelTurns(sessionId)).toBe(1);
    const next = await post();
    expect(await read(await open(4))).toEqual([expect.stringMatching(/^\d+ CANCELED$/)]);
    await answer(next, "two");
    expect(await read(await open(3))).toEqual(["4 d", expect.stringMatching(/^\d+ CANCELED$/)]);
  });

  it("tells every turn that passed by in its order and whole, each once, with ids that rise, and then 204", async () => {
    await letFourTurnsPass();
    const streams: string[][] = [];
    for (let after = 4; ; after = Number.parseInt(streams.at(-1)?.at(-1) ?? "", 10)) {
      const events = await read(await open(after));
      if (!events) break;
      streams.push(events);
    }
    expect(streams.map((events) => events.map((event) => event.split(" ")[1]))).toEqual([
      ["completed"],
      ["two", "completed"],
      ["CANCELED"],
      ["four", "completed"],
    ]);
    const ids = streams.flat().map((event) => Number.parseInt(event, 10));
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  });

  it("gives each of a session's canceled turns its end, with ids that rise", async () => {
    await post();
    await post();
    expect(await cancelTurns(sessionId)).toBe(3);
    const ends: (string | undefined)[] = [];
    for (let events = await read(await open(4)); events; ) {
      ends.push(...events);
      events = await read(await open(Number.parseInt(events.at(-1) ?? "", 10)));
    }
    expect(ends).toEqual(Array(3).fill(expect.stringMatching(/^\d+ CANCELED$/)));
    const ids = ends.map((end) => Number.parseInt(end ?? "", 10));
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  });

  it("waits for the next turn's first chunk when it is taken up after a turn's end", async () => {
    await complete(first, "abcd");
    const next = await post();
    const stream = await open(5);
    await answer(next, "two");
    expect(await read(stream)).toEqual(["6 two", "7 completed"]);
    expect(await read(await open(7))).toBeNull();
  });

  it("ends in its turn when a crash took the event from the log: what is behind its place is of the same turn", async () => {
    await db().query("DELETE FROM session_events WHERE session_id = $1 AND seq > 2", [sessionId]);
    expect(await cancelTurns(sessionId)).toBe(1);
    await answer(await post(), "two");
    expect(await read(await open(4))).toEqual([expect.stringMatching(/^\d+ CANCELED$/)]);
  });
});

describe("a stream that is taken up after no event of the session", () => {
  it.each([undefined, 0])("covers the latest turn from its first chunk: after %s", async (after) => {
    await letFourTurnsPass();
    expect((await read(await open(after)))?.map((event) => event.split(" ")[1])).toEqual(["four", "completed"]);
  });

  it("covers the latest turn while that one is open, and has nothing to say when it is over", async () => {
    await complete(first, "abcd");
    const next = await post();
    const streams = await Promise.all([1_000, 2 ** 31, 1e15].map((after) => open(after)));
    await answer(next, "two");
    for (const stream of streams) expect(await read(stream)).toEqual(["6 two", "7 completed"]);
    expect(await open(1_000)).toBeNull();
  });
});

it("is found in its own project alone, and by another end user as little", async () => {
  const { projectId } = await addTestProject(account, "Another");
  const find = (more: { projectId?: string; endUserId?: string }) =>
    findStreamStart({ sessionId, projectId: account.projectId, endUserId: undefined, after: 0, ...more });
  expect(await find({})).toMatchObject({ turnId: first.turnId });
  expect(await Promise.all([find({ projectId }), find({ endUserId: "bob" })])).toEqual([undefined, undefined]);
});

it("begins streams that are opened at once each in its own turn", async () => {
  await complete(first, "abcd");
  await answer(await post(), "two");
  const streams = await Promise.all([undefined, 4, 5, 6, 7].map((after) => open(after)));
  expect(await Promise.all(streams.map(read))).toEqual([
    ["6 two", "7 completed"],
    ["5 completed"],
    ["6 two", "7 completed"],
    ["7 completed"],
    null,
  ]);
});
