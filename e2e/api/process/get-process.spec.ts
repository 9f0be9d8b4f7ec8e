import { expect, test } from "playwright/test";
import { newTemplate } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, expectError, TIMESTAMP, withoutRequestId } from "@/e2e/api/support/expect-error";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { newCaller } from "@/e2e/support/suite";

const OF_AN_OUTPUT = ["output", "outputType", "completedAt", "downloadUrl"];
const MISSING = "ses_01k8z3v5n6f0mve1q5t9d2x7ab";

test.describe("GET /process/:id 200", () => {
  test("is exactly the contract's record when completed", async () => {
    const { api } = await newCaller();
    const started = await startProcessing(api, textFile("Some text\n", "note.txt"), {
      prompt: "Sum up [[answer:Short]]",
    });
    await api.waitUntilDone(`/process/${started.sessionId}`);
    const { status, headers, body } = await api.get(`/process/${started.sessionId}`);
    expect(status).toBe(200);
    expectCommonHeaders(headers);
    const time = expect.stringMatching(TIMESTAMP);
    expect(body).toEqual({
      sessionId: started.sessionId,
      status: "completed",
      fileUrl: started.fileUrl,
      fileName: "note.txt",
      fileSize: 10,
      contentType: "text/plain",
      prompt: "Sum up [[answer:Short]]",
      callbackUrl: null,
      output: "Short",
      outputType: "text",
      tokensIn: expect.any(Number),
      tokensOut: expect.any(Number),
      tokensUsed: Number(body.tokensIn) + Number(body.tokensOut),
      creditsUsed: 1,
      cost: { credits: 1, amount: 0.01, currency: "USD" },
      context: expect.any(Object),
      createdAt: time,
      completedAt: time,
    });
    expect(String(body.completedAt) > String(body.createdAt)).toBe(true);
  });

  test("has neither output nor completedAt while work goes on", async () => {
    const { api } = await newCaller();
    const { sessionId } = await startProcessing(api, textFile(), { prompt: "Wait [[first:800ms]]" });
    const { body } = await api.get(`/process/${sessionId}`);
    expect(body).toMatchObject({ status: "started", tokensUsed: 0, creditsUsed: 0, cost: { credits: 0, amount: 0 } });
    for (const absent of [...OF_AN_OUTPUT, "error", "templateId", "endUserId"]) expect(body).not.toHaveProperty(absent);
  });

  test("carries templateId, endUserId and callbackUrl when given; prompt is null when a template stood for it", async () => {
    const { account, api } = await newCaller();
    const templateId = await newTemplate(account, "Sum up");
    const fields = { templateId, endUserId: "user-a", callbackUrl: "https://client.example/hook" };
    const { sessionId } = await startProcessing(api, textFile(), fields);
    expect((await api.get(`/process/${sessionId}`)).body).toMatchObject({ ...fields, prompt: null });
  });

  test("says why it failed, and has no output then", async () => {
    const { api } = await newCaller();
    const { sessionId } = await startProcessing(api, textFile(), { prompt: "No [[fail:400]]" });
    const record = await api.waitUntilDone(`/process/${sessionId}`);
    expect(record).toMatchObject({
      status: "failed",
      error: { code: "MODEL_REJECTED", message: expect.any(String) },
      creditsUsed: 0,
    });
    expect(record).not.toHaveProperty("output");
    expect(record).not.toHaveProperty("completedAt");
  });

  test("shows the latest answer and the sums of the whole session after a further question", async () => {
    const { api } = await newCaller();
    const { sessionId } = await startProcessing(api, textFile(), { prompt: "One [[answer:first]]" });
    const first = await api.waitUntilDone<{ tokensUsed: number }>(`/process/${sessionId}`);
    await api.post("/chat", { message: "Two [[answer:second]] [[first:500ms]]", sessionId });
    // Who waits for the time at which it completed must not take the first answer's for it.
    const meanwhile = (await api.get(`/process/${sessionId}`)).body;
    expect(meanwhile).toMatchObject({ status: "resumed", creditsUsed: 1 });
    for (const absent of OF_AN_OUTPUT) expect(meanwhile).not.toHaveProperty(absent);
    const second = await api.waitUntilDone<{ tokensUsed: number }>(`/process/${sessionId}`);
    expect(second).toMatchObject({
      output: "second",
      prompt: "One [[answer:first]]",
      creditsUsed: 2,
      cost: { credits: 2, amount: 0.02 },
    });
    expect(second.tokensUsed).toBeGreaterThan(first.tokensUsed);
  });
});

test.describe("GET /process/:id 404", () => {
  test("is the same for missing, foreign, malformed, a chat session, and another end user's", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    const ofA = (await startProcessing(mine.api, textFile(), { prompt: "x", endUserId: "user-a" })).sessionId;
    const own = (await startProcessing(mine.api, textFile())).sessionId;
    const foreign = (await startProcessing(other.api, textFile())).sessionId;
    const chat = (await mine.api.post<{ sessionId: string }>("/chat", { message: "Hello" })).body.sessionId;
    const paths = [MISSING, foreign, chat, "nonsense", `${ofA}?endUserId=user-b`, `${own}?endUserId=user-a`];
    const answers = await Promise.all(paths.map((path) => mine.api.get(`/process/${path}`)));
    for (const answer of answers) {
      expectError(answer, "NOT_FOUND");
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
    }
    expect((await mine.api.get(`/process/${ofA}?endUserId=user-a`)).status).toBe(200);
    expect((await mine.api.get(`/process/${ofA}`)).status).toBe(200);
  });
});

test.describe("GET /process/:id 400", () => {
  test("names an endUserId that cannot be one", async () => {
    const { api } = await newCaller();
    expectError(await api.get(`/process/${MISSING}?endUserId=a/b`), "VALIDATION_FAILED", { param: "endUserId" });
  });
});
