import { expect, test } from "playwright/test";
import { newTemplate, setTokensUsed } from "@/e2e/api/support/account-states";
import { expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { testRefusals } from "@/e2e/api/support/refusals";
import { textFile } from "@/e2e/api/support/start-processing";
import { expectNothingLeft } from "@/e2e/api/support/upload-remains";
import { newCaller } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { PLANS } from "@/lib/domain/plans";

const PATH = "/b2b/send";

test.describe("POST /b2b/send refuses, and leaves nothing", () => {
  test("400 INVALID_JSON and INVALID_MULTIPART", async () => {
    const { account, api } = await newCaller();
    expectError(await api.post(PATH, "{"), "INVALID_JSON");
    expectError(await api.post(PATH, "[]"), "INVALID_JSON");
    expectError(await api.upload(PATH, { file: textFile(), prompt: "x", templateVars: "{" }), "INVALID_MULTIPART");
    await expectNothingLeft(account);
  });

  test("400 without an instruction and a template, with a file and without", async () => {
    const { account, api } = await newCaller();
    expectError(await api.post(PATH, {}), "VALIDATION_FAILED", { param: "prompt" });
    expectError(await api.upload(PATH, { file: textFile() }), "VALIDATION_FAILED", { param: "prompt" });
    await expectNothingLeft(account);
  });

  test("400 when prompt and message differ", async () => {
    const { account, api } = await newCaller();
    const fields = { prompt: "one", message: "two" };
    expectError(await api.post(PATH, fields), "VALIDATION_FAILED", { param: "message" });
    expectError(await api.upload(PATH, { ...fields, file: textFile() }), "VALIDATION_FAILED", { param: "message" });
    await expectNothingLeft(account);
  });

  test("400 for fields that are not known, of the wrong type or out of range", async () => {
    const { account, api } = await newCaller();
    expectError(await api.post(PATH, { prompt: "x", nope: 1 }), "VALIDATION_FAILED", { param: "nope" });
    expectError(await api.post(PATH, { prompt: 1 }), "VALIDATION_FAILED", { param: "prompt" });
    expectError(await api.post(PATH, { prompt: "x", maxCredits: 0 }), "VALIDATION_FAILED", { param: "maxCredits" });
    expectError(await api.post(PATH, { prompt: "x", endUserId: "../x" }), "VALIDATION_FAILED", { param: "endUserId" });
    expectError(await api.upload(PATH, { prompt: "x", file: textFile("") }), "VALIDATION_FAILED", { param: "file" });
    expectError(await api.upload(PATH, { prompt: "x", file: [textFile(), textFile()] }), "VALIDATION_FAILED");
    await expectNothingLeft(account);
  });

  test("400 for a callbackUrl that is not HTTPS or not public, and a template's missing variable", async () => {
    const { account, api } = await newCaller();
    const base = { prompt: "x", file: textFile() };
    expectError(await api.upload(PATH, { ...base, callbackUrl: "http://client.example/" }), "URL_NOT_HTTPS");
    expectError(await api.upload(PATH, { ...base, callbackUrl: "https://10.0.0.1/" }), "URL_NOT_ALLOWED");
    const templateId = await newTemplate(account, "{{who}}");
    expectError(await api.upload(PATH, { ...base, templateId }), "TEMPLATE_VARIABLE_MISSING");
    await expectNothingLeft(account);
  });

  test("402 without credits, with a file and without, and when the token limit is reached", async () => {
    const poor = await newCaller({ credits: 0 });
    expectError(await poor.api.post(PATH, { prompt: "x" }), "INSUFFICIENT_CREDITS");
    expectError(await poor.api.upload(PATH, { prompt: "x", file: textFile() }), "INSUFFICIENT_CREDITS");
    await expectNothingLeft(poor.account);
    const { account, api } = await newCaller({ planId: "starter" });
    await setTokensUsed(account, PLANS.starter.tokensPerMonth);
    expectError(await api.post(PATH, { prompt: "x" }), "TOKEN_LIMIT_REACHED");
  });

  test("404 for a session that is missing, foreign or another end user's: the same answer, and no file stays", async () => {
    const [mine, theirs] = await Promise.all([newCaller(), newCaller()]);
    const foreign = (await theirs.api.post<{ sessionId: string }>(PATH, { prompt: "x" })).body.sessionId;
    const own = (await mine.api.post<{ sessionId: string }>(PATH, { prompt: "x", endUserId: "ada" })).body.sessionId;
    const sessions: Record<string, string>[] = [
      { sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab" },
      { sessionId: foreign },
      { sessionId: own, endUserId: "bob" },
    ];
    const answers = [];
    for (const fields of sessions) {
      answers.push(await mine.api.post(PATH, { prompt: "x", ...fields }));
      answers.push(await mine.api.upload(PATH, { prompt: "x", file: textFile(), ...fields }));
    }
    for (const answer of answers) {
      expectError(answer, "NOT_FOUND");
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
    }
    const where = { projectId: { in: [mine.account.projectId, theirs.account.projectId] } };
    await expect.poll(() => prisma().pendingUpload.count({ where })).toBe(0);
    expect(await prisma().storedFile.count({ where })).toBe(0);
    expect(await prisma().turn.count({ where })).toBe(2);
  });

  testRefusals({
    path: PATH,
    permission: "b2bSend",
    body: () => ({ headers: { "content-type": "application/json" }, body: '{"prompt":"x"}' }),
  });
});
