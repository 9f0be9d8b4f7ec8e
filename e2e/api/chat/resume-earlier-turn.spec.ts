import { expect, test } from "playwright/test";
import { ANSWER, IN_PIECES, startChat } from "@/e2e/api/support/follow-stream";
import { type ApiClient, readEvents, type StreamedEvent, textOfStream } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";

/** An answer that comes in pieces and does not end by itself while a test is under way. */
const ENDLESS = "[[size:100000]] [[chunk:4]] [[slow:30ms]]";

/** What a client has when its connection breaks behind the second event. */
async function lost(api: ApiClient, sessionId: string): Promise<StreamedEvent[]> {
  const seen: StreamedEvent[] = [];
  for await (const event of readEvents(await api.fetch(`/chat/${sessionId}/stream`))) {
    if (event.id !== undefined) seen.push(event);
    if (seen.length === 2) break;
  }
  return seen;
}

/** The events behind `status` of each stream that follows, one connection after the other, until there is nothing more. */
async function comeBack(api: ApiClient, sessionId: string, seen: StreamedEvent[]): Promise<StreamedEvent[][]> {
  const streams: StreamedEvent[][] = [];
  for (let after = seen.at(-1)?.id; ; after = streams.at(-1)?.at(-1)?.id) {
    const events = await api.stream(`/chat/${sessionId}/stream`, { "last-event-id": String(after) });
    if (!events) return streams;
    expect(events[0]).toMatchObject({ event: "status", data: { sessionId } });
    expect(events[0]).not.toHaveProperty("id");
    streams.push(events.slice(1));
  }
}

/** Fails unless every turn has one end, its last event, and the ids rise over all of them. */
function expectInOrder(turns: StreamedEvent[][]): void {
  for (const events of turns) {
    const ends = events.filter(({ event }) => event === "completed" || event === "error");
    expect(ends, "one terminal event").toEqual([events.at(-1)]);
  }
  const ids = turns.flat().map(({ id }) => Number(id));
  expect(ids, "ids increase").toEqual([...new Set(ids)].sort((a, b) => a - b));
}

const isClosed = (api: ApiClient, sessionId: string) => api.waitUntilDone(`/chat/${sessionId}`);

test.describe("GET /chat/:sessionId/stream resumed in a turn that is not the latest", () => {
  test("goes on live in the turn that was lost while the next one waits, then in that one", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, `One [[first:200ms]] ${IN_PIECES}`);
    const seen = await lost(api, sessionId);
    await startChat(api, "Two [[answer:Second]]", sessionId);
    const [rest = [], second = [], ...more] = await comeBack(api, sessionId, seen);
    expectInOrder([[...seen, ...rest], second]);
    expect(rest.at(-1)).toMatchObject({ event: "completed", data: { output: ANSWER } });
    expect(textOfStream([...seen, ...rest])).toBe(ANSWER);
    expect(second.at(-1)).toMatchObject({ event: "completed", data: { output: "Second" } });
    expect(textOfStream(second)).toBe("Second");
    expect(more).toEqual([]);
  });

  test("gives the rest of a turn that is over, and each of three turns that passed by, whole", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, `One ${IN_PIECES}`);
    const seen = await lost(api, sessionId);
    const outputs = [ANSWER, "Second", "Third", "Fourth"];
    for (const output of outputs.slice(1)) await startChat(api, `More [[answer:${output}]]`, sessionId);
    await isClosed(api, sessionId);
    const [rest = [], ...others] = await comeBack(api, sessionId, seen);
    const turns = [[...seen, ...rest], ...others];
    expectInOrder(turns);
    expect(turns.map(textOfStream)).toEqual(outputs);
    expect(turns.map((events) => events.at(-1)?.data.output)).toEqual(outputs);
    const latest = await api.stream(`/chat/${sessionId}/stream`);
    expect(latest?.slice(1), "without an id: the latest turn").toEqual(turns.at(-1));
    for (const { id } of others[0]?.slice(0, -1) ?? []) {
      const again = await api.stream(`/chat/${sessionId}/stream?after=${id}`);
      expect(again?.slice(1), `?after=${id}`).toEqual(others[0]?.filter((event) => Number(event.id) > Number(id)));
    }
  });

  test("tells that the turn was canceled, also when another was sent at once", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, `One ${ENDLESS}`);
    const seen = await lost(api, sessionId);
    expect((await api.post(`/chat/${sessionId}/cancel`, {})).status).toBe(200);
    await startChat(api, "Two [[answer:Second]]", sessionId);
    const [rest = [], second = [], ...more] = await comeBack(api, sessionId, seen);
    expectInOrder([[...seen, ...rest], second]);
    expect(rest.at(-1)).toMatchObject({ event: "error", data: { error: { code: "CANCELED" } } });
    expect(textOfStream(second)).toBe("Second");
    expect(more).toEqual([]);
  });

  test("gives each turn of a canceled session its end, those too that had not begun", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, `One ${ENDLESS}`);
    const seen = await lost(api, sessionId);
    await startChat(api, "Two [[answer:Second]]", sessionId);
    await startChat(api, "Three [[answer:Third]]", sessionId);
    expect((await api.post(`/chat/${sessionId}/cancel`, {})).status).toBe(200);
    await startChat(api, "Four [[answer:Fourth]]", sessionId);
    const turns = await comeBack(api, sessionId, seen);
    expect(turns.map((events) => events.at(-1)?.event)).toEqual(["error", "error", "error", "completed"]);
    expect(turns.slice(1, 3)).toEqual(
      Array(2).fill([
        expect.objectContaining({ data: { sessionId, error: expect.objectContaining({ code: "CANCELED" }) } }),
      ]),
    );
    expect(textOfStream(turns.at(-1) ?? [])).toBe("Fourth");
  });

  test("is of its own project and end user alone", async () => {
    const [{ api }, other] = await Promise.all([newCaller(), newCaller()]);
    const { body } = await api.post<{ sessionId: string }>("/chat", {
      message: "One [[answer:First]]",
      endUserId: "user-a",
    });
    await isClosed(api, body.sessionId);
    const first = await api.stream(`/chat/${body.sessionId}/stream`);
    const more = { message: "Two [[answer:Second]]", sessionId: body.sessionId, endUserId: "user-a" };
    expect((await api.post("/chat", more)).status).toBe(202);
    const path = `/chat/${body.sessionId}/stream?after=${first?.at(-2)?.id}`;
    expect((await other.api.get(path)).status).toBe(404);
    expect((await api.get(`${path}&endUserId=user-b`)).status).toBe(404);
    expect((await api.stream(`${path}&endUserId=user-a`))?.slice(1)).toEqual(first?.slice(-1));
  });
});
