import { expect, test } from "playwright/test";
import { newTemplate } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, expectError, TIMESTAMP, withoutRequestId } from "@/e2e/api/support/expect-error";
import { newCaller } from "@/e2e/support/suite";

interface Started {
  sessionId: string;
}

const MISSING = "ses_01k8z3v5n6f0mve1q5t9d2x7ab";

test.describe("GET /chat/:sessionId 200", () => {
  test("is the record of §2.1 with the contract's additions, and leaves absent values out", async () => {
    const { api } = await newCaller();
    const { sessionId } = (await api.post<Started>("/chat", { message: "Hello [[answer:Hi]]" })).body;
    await api.waitUntilDone(`/chat/${sessionId}`);
    const { status, headers, body } = await api.get(`/chat/${sessionId}`);
    expect(status).toBe(200);
    expectCommonHeaders(headers);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    const time = expect.stringMatching(TIMESTAMP);
    expect(body).toEqual({
      id: sessionId,
      kind: "chat",
      status: "completed",
      messages: [
        { role: "user", content: "Hello [[answer:Hi]]", timestamp: time },
        { role: "assistant", content: "Hi", timestamp: time },
      ],
      lastOutput: "Hi",
      outputType: "text",
      tokensUsed: Number(body.tokensIn) + Number(body.tokensOut),
      tokensIn: expect.any(Number),
      tokensOut: expect.any(Number),
      creditsUsed: 1,
      context: expect.any(Object),
      createdAt: time,
      lastActivityAt: time,
    });
    for (const name of ["tokensUsed", "tokensIn", "tokensOut"]) {
      expect(Number.isInteger(body[name]) && Number(body[name]) > 0, name).toBe(true);
    }
    expect(String(body.lastActivityAt) >= String(body.createdAt)).toBe(true);
  });

  test("carries endUserId, templateId and callbackUrl when the session has them", async () => {
    const { account, api } = await newCaller();
    const templateId = await newTemplate(account, "Hello");
    const fields = { templateId, endUserId: "user-a", callbackUrl: "https://client.example/hook" };
    const { sessionId } = (await api.post<Started>("/chat", fields)).body;
    expect((await api.get(`/chat/${sessionId}`)).body).toMatchObject(fields);
  });

  test("has lastOutput null and no outputType before the first answer", async () => {
    const { api } = await newCaller();
    const { sessionId } = (await api.post<Started>("/chat", { message: "Wait [[first:800ms]]" })).body;
    const { body } = await api.get(`/chat/${sessionId}`);
    expect(body).toMatchObject({ status: "started", lastOutput: null, tokensUsed: 0, creditsUsed: 0 });
    expect(body).not.toHaveProperty("outputType");
    expect(body.messages).toHaveLength(1);
  });

  test("says why the last turn failed, in words of our own, and drops that when a later turn succeeds", async () => {
    const { api } = await newCaller();
    const { sessionId } = (await api.post<Started>("/chat", { message: "No [[fail:400]]" })).body;
    const failed = await api.waitUntilDone(`/chat/${sessionId}`);
    expect(failed).toMatchObject({
      status: "failed",
      lastOutput: null,
      error: { code: "MODEL_REJECTED", message: expect.any(String) },
    });
    expect(JSON.stringify(failed)).not.toMatch(/SECRET|org-123/);
    await api.post("/chat", { message: "Yes [[answer:Done]]", sessionId });
    const completed = await api.waitUntilDone(`/chat/${sessionId}`);
    expect(completed).toMatchObject({ status: "completed", lastOutput: "Done" });
    expect(completed).not.toHaveProperty("error");
  });

  test("sums tokens and credits over all turns of the session", async () => {
    const { api } = await newCaller();
    const { sessionId } = (await api.post<Started>("/chat", { message: "One [[size:9000]]" })).body;
    const sums = [];
    for (const message of ["Two [[size:18000]]", "Three"]) {
      sums.push(
        await api.waitUntilDone<{ tokensIn: number; tokensOut: number; creditsUsed: number }>(`/chat/${sessionId}`),
      );
      await api.post("/chat", { message, sessionId });
    }
    sums.push(
      await api.waitUntilDone<{ tokensIn: number; tokensOut: number; creditsUsed: number }>(`/chat/${sessionId}`),
    );
    const events = await api.stream(`/chat/${sessionId}/stream`);
    const last = events?.at(-1)?.data as { tokensIn: number; tokensOut: number; creditsUsed: number };
    const [, before, all] = sums;
    expect(all).toMatchObject({
      tokensIn: (before?.tokensIn ?? 0) + last.tokensIn,
      tokensOut: (before?.tokensOut ?? 0) + last.tokensOut,
      creditsUsed: (before?.creditsUsed ?? 0) + last.creditsUsed,
    });
    expect(sums[1]?.creditsUsed).toBeGreaterThan(sums[0]?.creditsUsed ?? 0);
  });

  test("orders messages as they were said when several calls wait", async () => {
    const { api } = await newCaller();
    const { sessionId } = (await api.post<Started>("/chat", { message: "1 [[first:300ms]] [[answer:a]]" })).body;
    await api.post("/chat", { message: "2 [[answer:b]]", sessionId });
    await api.post("/chat", { message: "3 [[answer:c]]", sessionId });
    const open = await api.get<{ messages: { content: string }[] }>(`/chat/${sessionId}`);
    expect(open.body.messages.map(({ content }) => content[0])).toEqual(["1", "2", "3"]);
    const { messages } = await api.waitUntilDone<{ messages: { content: string }[] }>(`/chat/${sessionId}`);
    expect(messages.map(({ content }) => content[0])).toEqual(["1", "a", "2", "b", "3", "c"]);
  });

  test("reads a processing too", async () => {
    const { api } = await newCaller();
    const file = new File(["a,b\n1,2\n"], "table.csv");
    const { sessionId } = (await api.upload<Started>("/process", { file, prompt: "Sum up [[answer:3]]" })).body;
    expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({
      id: sessionId,
      kind: "process",
      lastOutput: "3",
    });
  });

  test("answers the end user it belongs to, and the client itself", async () => {
    const { api } = await newCaller();
    const { sessionId } = (await api.post<Started>("/chat", { message: "Hello", endUserId: "user-a" })).body;
    expect((await api.get(`/chat/${sessionId}?endUserId=user-a`)).status).toBe(200);
    expect((await api.get(`/chat/${sessionId}`)).status).toBe(200);
  });

  test("leaves query parameters that it does not know alone", async () => {
    const { api } = await newCaller();
    const { sessionId } = (await api.post<Started>("/chat", { message: "Hello" })).body;
    expect((await api.get(`/chat/${sessionId}?_=1&utm_source=x`)).status).toBe(200);
  });
});

test.describe("GET /chat/:sessionId refusals", () => {
  test("404 is the same for missing, foreign, malformed, and another end user's", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    const ofA = (await mine.api.post<Started>("/chat", { message: "Hello", endUserId: "user-a" })).body.sessionId;
    const own = (await mine.api.post<Started>("/chat", { message: "Hello" })).body.sessionId;
    const foreign = (await other.api.post<Started>("/chat", { message: "Hello" })).body.sessionId;
    const paths = [
      MISSING,
      foreign,
      `${ofA}?endUserId=user-b`,
      `${own}?endUserId=user-a`,
      "nonsense",
      "%00",
      `${own}x`,
      own.toUpperCase(),
    ];
    const answers = await Promise.all(paths.map((path) => mine.api.get(`/chat/${path}`)));
    for (const answer of answers) {
      expectError(answer, "NOT_FOUND");
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
    }
  });

  test("400 for an endUserId that cannot be one, and for one that is there twice", async () => {
    const { api } = await newCaller();
    for (const query of ["endUserId=", "endUserId=a..b", "endUserId=a%00", "endUserId=a&endUserId=a"]) {
      expectError(await api.get(`/chat/${MISSING}?${query}`), "VALIDATION_FAILED", { param: "endUserId" });
    }
  });
});
