import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { ANSWER, expectWholeTurn, IN_PIECES, startChat } from "@/e2e/api/support/follow-stream";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { type ApiClient, readEvents, type StreamedEvent, textOfStream } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";

test.describe("GET /chat/:sessionId/stream resumed", () => {
  type Resume = (api: ApiClient, path: string, id: number) => Promise<StreamedEvent[] | null>;
  const WAYS: [how: string, resume: Resume][] = [
    ["Last-Event-ID", (api, path, id) => api.stream(path, { "last-event-id": String(id) })],
    ["?after=", (api, path, id) => api.stream(`${path}?after=${id}`)],
  ];
  for (const [how, resume] of WAYS) {
    test(`after the end, by ${how}, has no gap and no repeat at any cut`, async () => {
      const { api } = await newCaller();
      const sessionId = await startChat(api, `Say it ${IN_PIECES}`);
      await api.waitUntilDone(`/chat/${sessionId}`);
      const path = `/chat/${sessionId}/stream`;
      const all = expectWholeTurn(await api.stream(path), sessionId, ANSWER);
      const last = all.at(-1)?.id ?? 0;
      for (const cut of [0, ...all.slice(0, -1).map(({ id }) => Number(id))]) {
        const events = await resume(api, path, cut);
        expect(events?.slice(1), `after ${cut}`).toEqual(all.filter(({ id }) => Number(id) > cut));
      }
      expect(await resume(api, path, last), "204 after the terminal event").toBeNull();
      expect(await resume(api, path, last + 1_000)).toBeNull();
    });
  }

  test("goes by Last-Event-ID where both are sent: an EventSource that was opened with ?after= goes on, and ends", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, `Say it ${IN_PIECES}`);
    await api.waitUntilDone(`/chat/${sessionId}`);
    const all = expectWholeTurn(await api.stream(`/chat/${sessionId}/stream`), sessionId, ANSWER);
    const path = `/chat/${sessionId}/stream?after=${all[0]?.id}`;
    for (const [index, { id }] of all.slice(1, -1).entries()) {
      const events = await api.stream(path, { "last-event-id": String(id) });
      expect(events?.slice(1), `after ${id}`).toEqual(all.slice(index + 2));
    }
    expect(
      await api.stream(path, { "last-event-id": String(all.at(-1)?.id) }),
      "204 after the terminal event",
    ).toBeNull();
    const events = await api.stream(path, { "last-event-id": "abc" });
    expect(events?.slice(1), "what is none of our ids is passed over").toEqual(all.slice(1));
  });

  test("while the model writes, leaving after every single event, joins to the whole answer", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, `Say it [[first:200ms]] ${IN_PIECES}`);
    const seen: StreamedEvent[] = [];
    for (let isOver = false; !isOver; ) {
      const after = seen.at(-1)?.id ?? 0;
      const response = await api.fetch(`/chat/${sessionId}/stream`, { headers: { "last-event-id": String(after) } });
      expect(response.status).toBe(200);
      for await (const event of readEvents(response)) {
        if (event.event === "status") continue;
        seen.push(event);
        isOver = event.event === "completed";
        break;
      }
    }
    const replay = await api.stream(`/chat/${sessionId}/stream`);
    expect(seen).toEqual(replay?.slice(1));
    expect(textOfStream(seen)).toBe(ANSWER);
  });

  test("begins at the turn's start when Last-Event-ID is none of ours", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "Hello [[answer:Hi]]");
    await api.waitUntilDone(`/chat/${sessionId}`);
    expectWholeTurn(await api.stream(`/chat/${sessionId}/stream`, { "last-event-id": "abc" }), sessionId, "Hi");
  });
});

test.describe("GET /chat/:sessionId/stream of a turn that meets faults", () => {
  test("sends reset where a retry begins; what follows is the whole answer, charged once", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const sessionId = await startChat(
      api,
      `${marker} [[break:1]] [[slow:40ms]] [[chunk:4]] [[answer:A broken and mended answer]]`,
    );
    const events = await api.stream(`/chat/${sessionId}/stream`);
    const rest = expectWholeTurn(events, sessionId, "A broken and mended answer");
    expect(rest.filter(({ event }) => event === "reset")).toHaveLength(1);
    expect(rest[0]?.event, "text before the break had been seen").toBe("chunk");
    expect(await modelRequestsWith(marker)).toHaveLength(2);
    expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({
      creditsUsed: 1,
      lastOutput: "A broken and mended answer",
    });
    expect(await api.stream(`/chat/${sessionId}/stream`)).toEqual([
      { event: "status", data: { sessionId, status: "completed" } },
      ...rest,
    ]);
  });

  test("ends with error, its code and words of ours, when the turn fails for good", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "No [[fail:400]]");
    const events = await api.stream(`/chat/${sessionId}/stream`);
    expect(events?.map(({ event }) => event)).toEqual(["status", "error"]);
    expect(events?.at(-1)).toEqual({
      event: "error",
      id: expect.any(Number),
      data: { sessionId, error: { code: "MODEL_REJECTED", message: expect.stringMatching(/^\S.*\.$/) } },
    });
    expect(JSON.stringify(events)).not.toMatch(/SECRET|org-123/);
    expect(await api.stream(`/chat/${sessionId}/stream?after=${events?.at(-1)?.id}`)).toBeNull();
  });

  test("ends with error after the last retry of a model that stays broken", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "No [[break]]");
    const events = await api.stream(`/chat/${sessionId}/stream`);
    expect(
      events?.filter(({ event }) => event === "reset"),
      "one for each retry",
    ).toHaveLength(2);
    expect(events?.at(-1)).toMatchObject({ event: "error", data: { error: { code: "MODEL_UNAVAILABLE" } } });
    expect(await api.get(`/chat/${sessionId}`)).toMatchObject({
      body: { status: "failed", creditsUsed: 0, lastOutput: null },
    });
  });
});
