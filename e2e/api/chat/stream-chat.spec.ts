import { expect, test } from "playwright/test";
import { expectError, TIMESTAMP, withoutRequestId } from "@/e2e/api/support/expect-error";
import { ANSWER, expectWholeTurn, IN_PIECES, type Started, startChat } from "@/e2e/api/support/follow-stream";
import { readEvents } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";

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

  test("is the same text, byte for byte, followed and replayed", async () => {
    const { api } = await newCaller();
    const sessionId = await startChat(api, `Say it [[first:400ms]] ${IN_PIECES}`);
    const textOf = async () => (await (await api.fetch(`/chat/${sessionId}/stream`)).text()).split("\n\n").slice(1);
    const followed = await textOf();
    expect(followed[0]).toMatch(/^id: 1\nevent: chunk\ndata: \{"sessionId":"[^"]+","delta":"[^"]+"\}$/);
    expect(await textOf()).toEqual(followed);
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
