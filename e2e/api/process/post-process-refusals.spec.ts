import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { newTemplate, setTokensUsed } from "@/e2e/api/support/account-states";
import { expectError } from "@/e2e/api/support/expect-error";
import {
  BOUNDARY,
  MULTIPART_TYPE,
  multipartBody,
  multipartHead,
  multipartTail,
} from "@/e2e/api/support/multipart-bytes";
import { abandonedRequest, rawRequest } from "@/e2e/api/support/raw-request";
import { textFile } from "@/e2e/api/support/start-processing";
import { expectNothingLeft } from "@/e2e/api/support/upload-remains";
import { newCaller } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import type { ErrorCode } from "@/lib/domain/errors";
import { MAX_FILE_BYTES } from "@/lib/domain/limits";
import { PLANS } from "@/lib/domain/plans";

const MEGABYTE = 1024 * 1024;
const PATH = "/api/v1/process";
const FILE = { name: "a.txt", bytes: "hello" };

function post(
  account: TestAccount,
  body: Uint8Array | AsyncIterable<Uint8Array>,
  headers: Record<string, string> = {},
) {
  return rawRequest({
    method: "POST",
    path: PATH,
    headers: { "x-api-key": account.apiKey, "content-type": MULTIPART_TYPE, ...headers },
    body,
  });
}

test.describe("POST /process 400", () => {
  const FORMS: [what: string, body: Buffer, code: ErrorCode, param?: string][] = [
    ["no file", multipartBody({ prompt: "x" }), "VALIDATION_FAILED", "file"],
    ["an empty file", multipartBody({ prompt: "x" }, { name: "a.txt", bytes: "" }), "VALIDATION_FAILED", "file"],
    [
      "a file field that was left empty in a browser",
      multipartBody({ prompt: "x" }, { name: "", bytes: "" }),
      "VALIDATION_FAILED",
      "file",
    ],
    ["neither prompt nor template", multipartBody({}, FILE), "VALIDATION_FAILED", "prompt"],
    ["an empty prompt", multipartBody({ prompt: "" }, FILE), "VALIDATION_FAILED", "prompt"],
    [
      "a prompt of 100,001 characters",
      multipartBody({ prompt: "x".repeat(100_001) }, FILE),
      "VALIDATION_FAILED",
      "prompt",
    ],
    ["a prompt with NUL", multipartBody({ prompt: "a\0b" }, FILE), "VALIDATION_FAILED", "prompt"],
    ["an unknown field", multipartBody({ prompt: "x", promt: "y" }, FILE), "VALIDATION_FAILED", "promt"],
    [
      "a field named __proto__",
      multipartBody({ prompt: "x", __proto__x: "y" }, FILE),
      "VALIDATION_FAILED",
      "__proto__x",
    ],
    [
      "an endUserId that is a path",
      multipartBody({ prompt: "x", endUserId: "../a" }, FILE),
      "VALIDATION_FAILED",
      "endUserId",
    ],
    [
      "maxCredits that is no number",
      multipartBody({ prompt: "x", maxCredits: "many" }, FILE),
      "VALIDATION_FAILED",
      "maxCredits",
    ],
    [
      "templateVars that is not JSON",
      multipartBody({ prompt: "x", templateVars: "{a:1}" }, FILE),
      "INVALID_MULTIPART",
      "templateVars",
    ],
    [
      "templateVars that is cut off",
      multipartBody({ prompt: "x", templateVars: '{"a":' }, FILE),
      "INVALID_MULTIPART",
      "templateVars",
    ],
    [
      "templateVars that is empty",
      multipartBody({ prompt: "x", templateVars: "" }, FILE),
      "INVALID_MULTIPART",
      "templateVars",
    ],
    [
      "templateVars that is an array",
      multipartBody({ prompt: "x", templateVars: "[1]" }, FILE),
      "VALIDATION_FAILED",
      "templateVars",
    ],
    [
      "templateVars that is a text",
      multipartBody({ prompt: "x", templateVars: '"a"' }, FILE),
      "VALIDATION_FAILED",
      "templateVars",
    ],
    [
      "templateVars that is null",
      multipartBody({ prompt: "x", templateVars: "null" }, FILE),
      "VALIDATION_FAILED",
      "templateVars",
    ],
    [
      "templateVars with an object in it",
      multipartBody({ prompt: "x", templateVars: '{"a":{}}' }, FILE),
      "VALIDATION_FAILED",
      "templateVars.a",
    ],
    [
      "templateVars with null in it",
      multipartBody({ prompt: "x", templateVars: '{"a":null}' }, FILE),
      "VALIDATION_FAILED",
      "templateVars.a",
    ],
    [
      "templateVars nested without end",
      multipartBody({ prompt: "x", templateVars: "[".repeat(9_999) }, FILE),
      "INVALID_MULTIPART",
      "templateVars",
    ],
    [
      "a callbackUrl without HTTPS",
      multipartBody({ prompt: "x", callbackUrl: "http://a.example" }, FILE),
      "URL_NOT_HTTPS",
      "callbackUrl",
    ],
    [
      "a callbackUrl inside the network",
      multipartBody({ prompt: "x", callbackUrl: "https://10.1.2.3/" }, FILE),
      "URL_NOT_ALLOWED",
      "callbackUrl",
    ],
    [
      "a field that is there twice",
      Buffer.concat([multipartHead({ prompt: "x" }), multipartBody({ prompt: "y" }, FILE)]),
      "VALIDATION_FAILED",
      "prompt",
    ],
    [
      "two files",
      Buffer.concat([multipartHead({ prompt: "x" }, FILE), Buffer.from("one\r\n"), multipartBody({}, FILE)]),
      "VALIDATION_FAILED",
      "file",
    ],
    ["bytes that are no form", Buffer.from("hello"), "INVALID_MULTIPART"],
    ["an empty body", Buffer.alloc(0), "INVALID_MULTIPART"],
    [
      "a form that ends within the file",
      Buffer.concat([multipartHead({ prompt: "x" }, FILE), Buffer.alloc(100_000, "x")]),
      "INVALID_MULTIPART",
    ],
    ["a form without its last boundary", multipartBody({ prompt: "x" }, FILE).subarray(0, -10), "INVALID_MULTIPART"],
  ];
  for (const [what, body, code, param] of FORMS) {
    test(`${code} for ${what}; nothing is left`, async () => {
      const { account } = await newCaller();
      expectError(await post(account, body), code, param === undefined ? {} : { param });
      await expectNothingLeft(account);
    });
  }

  test("VALIDATION_FAILED for a file under another name, which it says", async () => {
    const { account, api } = await newCaller();
    const response = await api.upload("/process", { document: textFile(), prompt: "x" });
    expectError(response, "VALIDATION_FAILED", { param: "document", message: /\bfile\b/ });
    await expectNothingLeft(account);
  });

  test("INVALID_MULTIPART without a boundary", async () => {
    const { account } = await newCaller();
    expectError(
      await post(account, multipartBody({ prompt: "x" }, FILE), { "content-type": "multipart/form-data" }),
      "INVALID_MULTIPART",
    );
    const long = { "content-type": `multipart/form-data; boundary=${BOUNDARY}2` };
    expectError(await post(account, multipartBody({ prompt: "x" }, FILE), long), "INVALID_MULTIPART");
    await expectNothingLeft(account);
  });

  test("VALIDATION_FAILED for more fields than any call needs", async () => {
    const { account } = await newCaller();
    const fields = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, "x"]));
    expectError(await post(account, multipartBody(fields, FILE)), "VALIDATION_FAILED");
    await expectNothingLeft(account);
  });
});

test.describe("POST /process 413 FILE_TOO_LARGE", () => {
  test("at once, when the length that is told is already too much", async () => {
    const { account } = await newCaller();
    const startedAt = performance.now();
    const response = await post(account, streamed([multipartHead({ prompt: "x" }, FILE), Buffer.alloc(MEGABYTE)]), {
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
    expectError(await post(account, body(), { "transfer-encoding": "chunked" }), "FILE_TOO_LARGE", { param: "file" });
    await expectNothingLeft(account);
  });
});

test.describe("POST /process 415 UNSUPPORTED_MEDIA_TYPE", () => {
  for (const contentType of [
    "application/json",
    "text/plain",
    "multipart/mixed; boundary=x",
    "application/x-www-form-urlencoded",
  ]) {
    test(`for ${contentType}`, async () => {
      const { account } = await newCaller();
      expectError(await post(account, Buffer.from("{}"), { "content-type": contentType }), "UNSUPPORTED_MEDIA_TYPE");
    });
  }
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
    expectError(await post(account, body, { "x-api-key": "bld_wrong" }), "INVALID_API_KEY");
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
    const leaving = abandonedRequest({ method: "POST", path: PATH, headers, body: beginning });
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
    await abandonedRequest({ method: "POST", path: PATH, headers, body });
    await expectNothingLeft(account);
  });
});

async function* streamed(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
