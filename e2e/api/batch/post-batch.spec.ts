import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { newTemplate, setTokensUsed } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, expectError } from "@/e2e/api/support/expect-error";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { formBody, testRefusals } from "@/e2e/api/support/refusals";
import { type StartedProcess, textFile } from "@/e2e/api/support/start-processing";
import { expectNothingLeft } from "@/e2e/api/support/upload-remains";
import { newCaller, suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { MAX_BATCH_FILES } from "@/lib/domain/limits";
import { PLANS } from "@/lib/domain/plans";

const PATH = "/process/batch";
const filesOf = (count: number, marker = "") =>
  Array.from({ length: count }, (_, index) => textFile(`Text ${index} ${marker}`, `file-${index}.txt`));

test.describe("POST /process/batch 202", () => {
  test("starts a processing for each file, in the order of the files", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const { status, headers, body } = await api.upload<StartedProcess[]>(PATH, {
      prompt: `What is this? ${marker} [[answer:Seen]]`,
      file: filesOf(4, marker),
      endUserId: "ada",
    });
    expect(status, JSON.stringify(body)).toBe(202);
    expectCommonHeaders(headers);
    expect(body).toEqual(
      Array.from({ length: 4 }, () => ({
        sessionId: expect.stringMatching(/^ses_/),
        status: "started",
        fileUrl: expect.stringMatching(new RegExp(`^${suite.url}/files/`)),
      })),
    );
    expect(new Set(body.map(({ sessionId }) => sessionId)).size).toBe(4);
    for (const [index, { sessionId, fileUrl }] of body.entries()) {
      const record = await api.waitUntilDone(`/process/${sessionId}`);
      expect(record).toMatchObject({
        status: "completed",
        fileName: `file-${index}.txt`,
        fileUrl,
        endUserId: "ada",
        output: "Seen",
      });
    }
    const asked = (await modelRequestsWith(marker)).map(({ lastUserText }) => /Text (\d)/.exec(lastUserText)?.[1]);
    expect(asked.sort()).toEqual(["0", "1", "2", "3"]);
  });

  test("takes one file, and as many as are allowed", async () => {
    const { api } = await newCaller();
    for (const count of [1, MAX_BATCH_FILES]) {
      const { status, body } = await api.upload<StartedProcess[]>(PATH, { prompt: "x", file: filesOf(count) });
      expect(status, JSON.stringify(body)).toBe(202);
      expect(body).toHaveLength(count);
    }
  });

  test("uses a template for all, counted once for each", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const templateId = await newTemplate(account, `${marker} {{tone}}: {{prompt}}`);
    const { body } = await api.upload<StartedProcess[]>(PATH, {
      file: filesOf(3),
      templateId,
      templateVars: '{"tone":"formal"}',
      prompt: "Sum up",
    });
    for (const { sessionId } of body) await api.waitUntilDone(`/process/${sessionId}`);
    const asked = await modelRequestsWith(`${marker} formal: Sum up`);
    expect(asked).toHaveLength(3);
    expect((await api.get(`/templates/${templateId}`)).body).toMatchObject({ usageCount: 3 });
  });

  test("is named as itself in usage", async () => {
    const { account, api } = await newCaller();
    const { body } = await api.upload<StartedProcess[]>(PATH, { prompt: "x", file: filesOf(2) });
    for (const { sessionId } of body) await api.waitUntilDone(`/process/${sessionId}`);
    const days = await prisma().usageDay.findMany({ where: { projectId: account.projectId } });
    expect(days).toMatchObject([{ endpoint: "POST /process/batch", requests: 2 }]);
  });
});

test.describe("POST /process/batch refuses, and leaves nothing", () => {
  test("400 for dryRun=true: a batch has no quote", async () => {
    const { account, api } = await newCaller();
    const refused = await api.upload(`${PATH}?dryRun=true`, { prompt: "x", file: filesOf(2) });
    expectError(refused, "VALIDATION_FAILED", { param: "dryRun", message: /POST \/process\?dryRun=true/ });
    await expectNothingLeft(account);
  });

  test("400 without a file, and without an instruction", async () => {
    const { account, api } = await newCaller();
    expectError(await api.upload(PATH, { prompt: "x" }), "VALIDATION_FAILED", { param: "file" });
    expectError(await api.upload(PATH, { file: filesOf(2) }), "VALIDATION_FAILED", { param: "prompt" });
    await expectNothingLeft(account);
  });

  test(`400 for ${MAX_BATCH_FILES + 1} files`, async () => {
    const { account, api } = await newCaller();
    const response = await api.upload(PATH, { prompt: "x", file: filesOf(MAX_BATCH_FILES + 1) });
    expectError(response, "VALIDATION_FAILED", { param: "file", message: /at most 50 files/ });
    await expectNothingLeft(account);
  });

  test("400 when one of the files is empty, which it names", async () => {
    const { account, api } = await newCaller();
    const response = await api.upload(PATH, { prompt: "x", file: [textFile(), textFile(""), textFile()] });
    expectError(response, "VALIDATION_FAILED", { param: "file", message: /number 2 is empty/ });
    await expectNothingLeft(account);
  });

  test("400 for a callbackUrl that is not HTTPS or not public, and a template's missing variable", async () => {
    const { account, api } = await newCaller();
    const base = { prompt: "x", file: filesOf(2) };
    expectError(await api.upload(PATH, { ...base, callbackUrl: "http://client.example/" }), "URL_NOT_HTTPS");
    expectError(await api.upload(PATH, { ...base, callbackUrl: "https://10.0.0.1/" }), "URL_NOT_ALLOWED");
    const templateId = await newTemplate(account, "{{who}}");
    expectError(await api.upload(PATH, { ...base, templateId }), "TEMPLATE_VARIABLE_MISSING");
    expectError(await api.upload(PATH, { ...base, templateVars: "{" }), "INVALID_MULTIPART");
    await expectNothingLeft(account);
  });

  test("402 without credits for all of them", async () => {
    const { account, api } = await newCaller({ credits: 4 });
    const response = await api.upload(PATH, { prompt: "x", file: filesOf(5) });
    expectError(response, "INSUFFICIENT_CREDITS", { message: /5 credits and 4 are free/ });
    await expectNothingLeft(account);
    expect((await api.upload(PATH, { prompt: "x", file: filesOf(4) })).status).toBe(202);
  });

  test("402 when the token limit is reached", async () => {
    const { account, api } = await newCaller({ planId: "starter" });
    await setTokensUsed(account, PLANS.starter.tokensPerMonth);
    expectError(await api.upload(PATH, { prompt: "x", file: filesOf(2) }), "TOKEN_LIMIT_REACHED");
    await expectNothingLeft(account);
  });

  test("404 for a template that is not there", async () => {
    const { account, api } = await newCaller();
    const templateId = "tpl_01k8z3v5n6f0mve1q5t9d2x7ab";
    expectError(await api.upload(PATH, { file: filesOf(2), templateId }), "NOT_FOUND");
    await expectNothingLeft(account);
  });

  testRefusals({
    path: PATH,
    permission: "process",
    body: () =>
      formBody([
        ["prompt", "x"],
        ["file", textFile()],
      ]),
  });
});
