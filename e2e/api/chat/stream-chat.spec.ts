import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { expectError, TIMESTAMP, withoutRequestId } from "@/e2e/api/support/expect-error";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { type ApiClient, readEvents, type StreamedEvent, textOfStream } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";

interface Started {
  sessionId: string;
}

/** An answer that comes in about ten pieces, 30 ms apart. */
const IN_PIECES = "[[slow:30ms]] [[chunk:4]] [[answer:The quick brown fox jumps over the lazy dog]]";
const ANSWER = "The quick brown fox jumps over the lazy dog";

async function startChat(api: ApiClient, message: string, sessionId?: string): Promise<string> {
  const { status, body } = await api.post<Started>("/chat", { message, sessionId });
  expect(status, JSON.stringify(body)).toBe(202);
  return body.sessionId;
}

/** Fails unless these are all events of one turn, in the contract's order. */
function expectWholeTurn(events: StreamedEvent[] | null, sessionId: string, output: string): StreamedEvent[] {
  const [status, ...rest] = events ?? [];
  expect(status).toMatchObject({ event: "status", data: { sessionId } });
  expect(status).not.toHaveProperty("id");
  expect(Object.keys(status?.data ?? {}).sort()).toEqual(["sessionId", "status"]);
  const ids = rest.map(({ id }) => id);
  expect(ids, "ids increase").toEqual([...new Set(ids)].sort((a, b) => Number(a) - Number(b)));
  expect(ids.every((id) => Number.isInteger(id) && Number(id) > 0)).toBe(true);
  expect(
    rest.filter(({ event }) => event === "completed" || event === "error"),
    "one terminal event",
  ).toHaveLength(1);
  for (const { event, data } of rest.slice(0, -1)) {
    expect(event).toMatch(/^(chunk|reset)$/);
    expect(data).toEqual(event === "chunk" ? { sessionId, delta: expect.stringMatching(/^.+$/s) } : { sessionId });
  }
  expect(rest.at(-1)).toMatchObject({ event: "completed", data: { output } });
  expect(textOfStream(rest)).toBe(output);
  return rest;
}

test.describe("GET /chat/:sessionId/stream 200", () => {
  test("follows an answer that has not begun", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, `Say it [[first:400ms]] ${IN_PIECES}`);
    const events = await api.stream(`/chat/${sessionId}/stream`);
    expect(events?.[0]?.data.status).toBe("started");
    expect(expectWholeTurn(events, sessionId, ANSWER).length).toBeGreaterThan(4);
  });

  test("joins an answer under way from its first piece", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, `Say it ${IN_PIECES}`);
    const response = await api.fetch(`/chat/${sessionId}/stream`);
    for await (const event of readEvents(response)) if (event.event === "chunk") break;
    expectWholeTurn(await api.stream(`/chat/${sessionId}/stream`), sessionId, ANSWER);
  });

  test("replays an answer that is there, and then closes", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, `Say it ${IN_PIECES}`);
    await api.waitUntilDone(`/chat/${sessionId}`);
    const events = await api.stream(`/chat/${sessionId}/stream`);
    expect(events?.[0]?.data.status).toBe("completed");
    expectWholeTurn(events, sessionId, ANSWER);
  });

  test("hands pieces on while the model still writes", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(
      api,
      "Say it [[slow:250ms]] [[chunk:10]] [[answer:aaaaaaaaaabbbbbbbbbbcccccccccc]]",
    );
    const response = await api.fetch(`/chat/${sessionId}/stream`);
    const arrivals: number[] = [];
    for await (const { event } of readEvents(response)) if (event === "chunk") arrivals.push(performance.now());
    expect(arrivals.length).toBe(3);
    expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(300);
  });

  test("ends with the completion payload of §6.2", async () => {
    const { api } = await newCaller();
    const { body } = await api.post<Started>("/chat", { message: "Hi [[answer:Hello]]", endUserId: "user-a" });
    const session = await api.waitUntilDone(`/chat/${body.sessionId}`);
    const events = await api.stream(`/chat/${body.sessionId}/stream`);
    expect(events?.at(-1)).toEqual({
      event: "completed",
      id: expect.any(Number),
      data: {
        type: "completion",
        sessionId: body.sessionId,
        endUserId: "user-a",
        templateId: null,
        output: "Hello",
        status: "completed",
        creditsUsed: session.creditsUsed,
        tokensIn: session.tokensIn,
        tokensOut: session.tokensOut,
        outputType: "text",
        downloadUrl: null,
        timestamp: expect.stringMatching(TIMESTAMP),
      },
    });
  });

  test("is an event stream that no proxy holds back or keeps", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "Hello");
    const response = await api.fetch(`/chat/${sessionId}/stream`);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toMatch(/no-store/);
    expect(response.headers.get("cache-control")).toMatch(/no-transform/);
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(response.headers.get("ratelimit-limit")).toBe("1200");
    await response.body?.cancel();
  });

  test("keeps line ends and any other character inside of one event", async () => {
    const { api } = await newCaller();
    const answer = "one\ntwo\r\nthree\n\nevent: error\ndata: {}\n\n\u2028 🧪 : end";
    const sessionId = await startChat(api, `[[chunk:3]] [[slow:10ms]] [[answer:${answer}]]`);
    expectWholeTurn(await api.stream(`/chat/${sessionId}/stream`), sessionId, answer);
  });

  test("carries a long answer whole", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "[[size:300000]] [[chunk:20000]]");
    const { lastOutput } = await api.waitUntilDone<{ lastOutput: string }>(`/chat/${sessionId}`);
    expect(lastOutput).toHaveLength(300_000);
    expectWholeTurn(await api.stream(`/chat/${sessionId}/stream`), sessionId, lastOutput);
  });

  test("works for a processing", async () => {
    const { api } = await newCaller();
    const file = new File(["Some text"], "a.txt");
    const { body } = await api.upload<Started>("/process", { file, prompt: `Say it ${IN_PIECES}` });
    expectWholeTurn(await api.stream(`/chat/${body.sessionId}/stream`), body.sessionId, ANSWER);
  });

  test("covers the latest turn alone", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "One [[answer:First]]");
    await api.waitUntilDone(`/chat/${sessionId}`);
    const first = await api.stream(`/chat/${sessionId}/stream`);
    await startChat(api, "Two [[answer:Second]]", sessionId);
    const second = await api.stream(`/chat/${sessionId}/stream`);
    expect(second?.[0]?.data.status).toMatch(/resumed|completed/);
    expectWholeTurn(second, sessionId, "Second");
    expect(Number(second?.[1]?.id)).toBeGreaterThan(Number(first?.at(-1)?.id));
  });

  test("resumed with the id of the turn before, it gives all of the new turn", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "One [[answer:First]]");
    await api.waitUntilDone(`/chat/${sessionId}`);
    const last = (await api.stream(`/chat/${sessionId}/stream`))?.at(-1)?.id;
    await startChat(api, `Two ${IN_PIECES}`, sessionId);
    expectWholeTurn(await api.stream(`/chat/${sessionId}/stream?after=${last}`), sessionId, ANSWER);
  });

  test("gives twenty readers at once the same events", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, `Say it [[first:300ms]] ${IN_PIECES}`);
    const all = await Promise.all(Array.from({ length: 20 }, () => api.stream(`/chat/${sessionId}/stream`)));
    const expected = expectWholeTurn(all[0] ?? null, sessionId, ANSWER);
    for (const events of all) expect(events?.slice(1)).toEqual(expected);
  });

  test("sends status even when it resumes right before the end", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "One [[answer:First]]");
    await api.waitUntilDone(`/chat/${sessionId}`);
    const ids = (await api.stream(`/chat/${sessionId}/stream`))?.map(({ id }) => id) ?? [];
    const events = await api.stream(`/chat/${sessionId}/stream?after=${ids.at(-2)}`);
    expect(events?.map(({ event }) => event)).toEqual(["status", "completed"]);
  });
});

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

test.describe("GET /chat/:sessionId/stream refusals", () => {
  test("404 is the same for missing, foreign, malformed, and another end user's", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    const own = (await mine.api.post<Started>("/chat", { message: "Hello", endUserId: "user-a" })).body.sessionId;
    const foreign = await startChat(other.api, "Hello");
    const paths = [
      "ses_01k8z3v5n6f0mve1q5t9d2x7ab/stream",
      `${foreign}/stream`,
      `${own}/stream?endUserId=user-b`,
      "nonsense/stream",
    ];
    const answers = await Promise.all(paths.map((path) => mine.api.get(`/chat/${path}`)));
    for (const answer of answers) {
      expectError(answer, "NOT_FOUND");
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
    }
    expect(await mine.api.stream(`/chat/${own}/stream?endUserId=user-a`)).not.toBeNull();
  });

  test("400 names after when it is no event's id", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, "Hello");
    for (const after of ["-1", "x", "1.5", ""]) {
      expectError(await api.get(`/chat/${sessionId}/stream?after=${after}`), "VALIDATION_FAILED", { param: "after" });
    }
  });
});
