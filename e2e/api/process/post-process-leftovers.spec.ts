import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { newTemplate, setTokensUsed } from "@/e2e/api/support/account-states";
import { expectError } from "@/e2e/api/support/expect-error";
import { MULTIPART_TYPE, multipartBody, multipartHead, multipartTail } from "@/e2e/api/support/multipart-bytes";
import { FILE, postForm } from "@/e2e/api/support/post-form";
import { abandonedRequest } from "@/e2e/api/support/raw-request";
import { textFile } from "@/e2e/api/support/start-processing";
import { expectNothingLeft } from "@/e2e/api/support/upload-remains";
import { newCaller } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { MAX_FILE_BYTES } from "@/lib/domain/limits";
import { PLANS } from "@/lib/domain/plans";

const MEGABYTE = 1024 * 1024;

test.describe("POST /process 413 FILE_TOO_LARGE", () => {
  test("at once, when the length that is told is already too much", async () => {
    const { account } = await newCaller();
    const startedAt = performance.now();
    const response = await postForm(account, streamed([multipartHead({ prompt: "x" }, FILE), Buffer.alloc(MEGABYTE)]), {
      "content-length": String(MAX_FILE_BYTES + 300 * MEGABYTE),
    });
    expectError(response, "FILE_TOO_LARGE", { param: "file" });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await expectNothingLeft(account);
  });

  test("at the first byte beyond 500 MB, when no length is told; nothing is left", async () => {
    const { account } = await newCaller();
    const block = Buffer.alloc(4 * MEGABYTE, "x");
    async function* body() {
      yield multipartHead({ prompt: "x" }, FILE);
      for (let sent = 0; sent < MAX_FILE_BYTES; sent += block.length) yield block;
      yield Buffer.from("x");
      yield multipartTail();
    }
    expectError(await postForm(account, body(), { "transfer-encoding": "chunked" }), "FILE_TOO_LARGE", {
      param: "file",
    });
    await expectNothingLeft(account);
  });
});

test.describe("POST /process refused after the upload leaves nothing", () => {
  const upload = { file: textFile(), prompt: "x" };

  test("402 without credits", async () => {
    const { account, api } = await newCaller({ credits: 0 });
    expectError(await api.upload("/process", upload), "INSUFFICIENT_CREDITS");
    await expectNothingLeft(account);
  });

  test("402 at the plan's token limit", async () => {
    const { account, api } = await newCaller({ planId: "starter" });
    await setTokensUsed(account, PLANS.starter.tokensPerMonth);
    expectError(await api.upload("/process", upload), "TOKEN_LIMIT_REACHED");
    await expectNothingLeft(account);
  });

  test("404 for a template that is not there", async () => {
    const { account, api } = await newCaller();
    const response = await api.upload("/process", { ...upload, templateId: "tpl_01k8z3v5n6f0mve1q5t9d2x7ab" });
    expectError(response, "NOT_FOUND");
    await expectNothingLeft(account);
  });

  test("400 for a template's variable without a value", async () => {
    const { account, api } = await newCaller();
    const templateId = await newTemplate(account, "{{who}}");
    const response = await api.upload("/process", { file: textFile(), templateId });
    expectError(response, "TEMPLATE_VARIABLE_MISSING", { param: "templateVars.who" });
    await expectNothingLeft(account);
  });

  test("401 and 403 before a byte of it is stored", async () => {
    const { account } = await newCaller();
    const body = multipartBody({ prompt: "x" }, FILE);
    expectError(await postForm(account, body, { "x-api-key": "bld_wrong" }), "INVALID_API_KEY");
    await expectNothingLeft(account);
  });
});

test.describe("POST /process cut off", () => {
  test("by a client that leaves in the middle of the file leaves nothing", async () => {
    const { account } = await newCaller();
    const headers = {
      "x-api-key": account.apiKey,
      "content-type": MULTIPART_TYPE,
      "content-length": String(50 * MEGABYTE),
    };
    const beginning = Buffer.concat([multipartHead({ prompt: randomUUID() }, FILE), Buffer.alloc(3 * MEGABYTE, "x")]);
    const leaving = abandonedRequest({ method: "POST", path: "/api/v1/process", headers, body: beginning });
    await expect
      .poll(() => prisma().rateLimitBucket.count({ where: { keyId: account.principal.apiKeyId } }), {
        message: "the server took it on",
      })
      .toBe(1);
    await leaving;
    await expectNothingLeft(account);
  });

  test("by a client that leaves between two fields leaves nothing", async () => {
    const { account } = await newCaller();
    const headers = { "x-api-key": account.apiKey, "content-type": MULTIPART_TYPE, "transfer-encoding": "chunked" };
    const body = multipartBody({ prompt: "x" }, FILE).subarray(0, -4);
    await abandonedRequest({ method: "POST", path: "/api/v1/process", headers, body });
    await expectNothingLeft(account);
  });
});

async function* streamed(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
