import { test } from "playwright/test";
import { expectError } from "@/e2e/api/support/expect-error";
import { BOUNDARY, multipartBody, multipartHead } from "@/e2e/api/support/multipart-bytes";
import { FILE, postForm } from "@/e2e/api/support/post-form";
import { textFile } from "@/e2e/api/support/start-processing";
import { expectNothingLeft } from "@/e2e/api/support/upload-remains";
import { newCaller } from "@/e2e/support/suite";
import type { ErrorCode } from "@/lib/domain/errors";

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
      expectError(await postForm(account, body), code, param === undefined ? {} : { param });
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
      await postForm(account, multipartBody({ prompt: "x" }, FILE), { "content-type": "multipart/form-data" }),
      "INVALID_MULTIPART",
    );
    const long = { "content-type": `multipart/form-data; boundary=${BOUNDARY}2` };
    expectError(await postForm(account, multipartBody({ prompt: "x" }, FILE), long), "INVALID_MULTIPART");
    await expectNothingLeft(account);
  });

  test("VALIDATION_FAILED for more fields than any call needs", async () => {
    const { account } = await newCaller();
    const fields = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, "x"]));
    expectError(await postForm(account, multipartBody(fields, FILE)), "VALIDATION_FAILED");
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
      expectError(
        await postForm(account, Buffer.from("{}"), { "content-type": contentType }),
        "UNSUPPORTED_MEDIA_TYPE",
      );
    });
  }
});
