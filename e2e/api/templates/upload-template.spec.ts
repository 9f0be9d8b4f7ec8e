import { expect, test } from "playwright/test";
import { expectCommonHeaders, expectError, TIMESTAMP } from "@/e2e/api/support/expect-error";
import { BOUNDARY, MULTIPART_TYPE, multipartBody } from "@/e2e/api/support/multipart-bytes";
import { rawRequest } from "@/e2e/api/support/raw-request";
import { expectNothingLeft } from "@/e2e/api/support/upload-remains";
import { HOSTILE_TEXTS } from "@/e2e/api/templates/hostile-texts";
import { call, type TemplateRecord, templateFile } from "@/e2e/api/templates/template-calls";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";

const MEGABYTE = 1024 * 1024;

let account: TestAccount;
let api: ApiClient;
test.beforeEach(async () => {
  ({ account, api } = await newCaller());
});

/** Nothing in the file store, whatever came of the call. */
test.afterEach(async () => {
  await expectNothingLeft(account);
});

const upload = (fields: Record<string, string | File | File[]>) =>
  api.upload<TemplateRecord>("/templates/upload", fields);

test.describe("POST /templates/upload 201", () => {
  test("makes the file's content the prompt, and answers with the record", async () => {
    const text = "# Sum up\n\n{{ file }} in {{language}}\n";
    const variables = { file: "the invoice", language: "English" };
    const { status, headers, body } = await upload({
      file: templateFile(text),
      name: "My summary",
      variables: JSON.stringify(variables),
    });
    expect(status).toBe(201);
    expectCommonHeaders(headers);
    expect(body).toEqual({
      id: expect.stringMatching(/^tpl_/),
      name: "My summary",
      slug: "my-summary",
      promptTemplate: text,
      variables,
      tags: [],
      usageCount: 0,
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: body.createdAt,
      version: 1,
    });
    expect((await api.get(`/templates/${body.id}`)).body).toEqual(body);
  });

  test("takes variables as a part of their own type, which clients send as a Blob with a file name", async () => {
    const variables = new File(['{"who":"Ada"}'], "blob", { type: "application/json" });
    const { status, body } = await upload({ file: templateFile("Greet {{who}}"), variables });
    expect(status).toBe(201);
    expect(body.variables).toEqual({ who: "Ada" });
  });

  test("counts characters as POST /templates does", async () => {
    const prompt = "🧾".repeat(60_000);
    expect((await upload({ file: templateFile(prompt) })).body.promptTemplate).toBe(prompt);
    expectError(await upload({ file: templateFile("🧾".repeat(100_001)) }), "VALIDATION_FAILED", { param: "file" });
  });

  for (const [fileName, name, slug] of [
    ["Invoice summary.md", "Invoice summary", "invoice-summary"],
    ["NOTES.TXT", "NOTES", "notes"],
    ["v1.2 draft.txt", "v1.2 draft", "v1-2-draft"],
    ["発票.md", "発票", "template"],
  ] as const) {
    test(`names the template after ${fileName} when no name is sent`, async () => {
      expect((await upload({ file: templateFile("Hello", fileName) })).body).toMatchObject({
        name,
        slug,
        variables: {},
      });
    });
  }

  test("counts on when the slug is taken, also for 10 at once", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => upload({ file: templateFile("Hello") })));
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(10);
  });

  test("takes the file whatever type the client claims, and fields after the file", async () => {
    const file = new File(["Hello"], "a.md", { type: "application/x-msdownload" });
    const form = new FormData();
    form.append("file", file);
    form.append("name", "After");
    const response = await api.fetch("/templates/upload", { method: "POST", body: form });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ name: "After", promptTemplate: "Hello" });
  });

  test("leaves out a byte order mark and keeps everything else of the text", async () => {
    const text = ` \r\n${HOSTILE_TEXTS.map(([, hostile]) => hostile).join("\n")}\r\n `;
    expect((await upload({ file: templateFile(`\uFEFF${text}`) })).body.promptTemplate).toBe(text);
  });

  test("takes a file of 100,000 characters", async () => {
    const { body } = await upload({ file: templateFile("é".repeat(100_000)) });
    expect(body.promptTemplate).toHaveLength(100_000);
  });
});

test.describe("POST /templates/upload refusals", () => {
  test.afterEach(async () => {
    expect(await prisma().template.count({ where: { projectId: account.projectId } })).toBe(0);
  });

  const CASES: [
    what: string,
    fields: Record<string, string | File | File[]>,
    param: string,
    message: string | RegExp,
  ][] = [
    ["no file", { name: "A" }, "file", "is required"],
    ["an empty file", { file: templateFile("") }, "file", "empty"],
    ["two files", { file: [templateFile("a"), templateFile("b")] }, "file", "at most 1 file"],
    ["a file under another name", { document: templateFile("a") }, "document", "send the file as file"],
    ["a text in place of the file", { file: "Hello" }, "file", "not text"],
    ["a .pdf", { file: templateFile("a", "a.pdf") }, "file", /\.md or \.txt/],
    ["a .markdown", { file: templateFile("a", "a.markdown") }, "file", /\.md or \.txt/],
    ["a name without an ending", { file: templateFile("a", "readme") }, "file", /\.md or \.txt/],
    ["an ending behind the ending", { file: templateFile("a", "a.md.exe") }, "file", /\.md or \.txt/],
    ["Latin 1", { file: templateFile(Uint8Array.from([0x63, 0xe9])) }, "file", "UTF-8"],
    ["UTF-16", { file: templateFile(Uint8Array.from([0xff, 0xfe, 0x61, 0x00])) }, "file", "UTF-8"],
    ["a picture called .md", { file: templateFile(Uint8Array.from([0x89, 0x50, 0x4e, 0x47])) }, "file", "UTF-8"],
    ["NUL", { file: templateFile("a\0b") }, "file", "NUL"],
    ["100,001 characters", { file: templateFile("x".repeat(100_001)) }, "file", "100000 characters"],
    ["exactly 1 MB, which is too many characters", { file: templateFile("x".repeat(MEGABYTE)) }, "file", "characters"],
    ["an empty name", { file: templateFile("a"), name: "" }, "name", "empty"],
    ["a name of 201 characters", { file: templateFile("a"), name: "n".repeat(201) }, "name", "200"],
    ["variables that are an array", { file: templateFile("a"), variables: "[]" }, "variables", "object"],
    ["a variable that is a number", { file: templateFile("a"), variables: '{"a":1}' }, "variables.a", "string"],
    ["an unknown field", { file: templateFile("a"), description: "x" }, "description", "not a known field"],
    ["a promptTemplate beside the file", { file: templateFile("a"), promptTemplate: "b" }, "promptTemplate", "known"],
  ];
  for (const [what, fields, param, message] of CASES) {
    test(`400 VALIDATION_FAILED names the field: ${what}`, async () => {
      expectError(await upload(fields), "VALIDATION_FAILED", { param, message });
    });
  }

  test("400 INVALID_MULTIPART for variables that are no JSON", async () => {
    const response = await upload({ file: templateFile("a"), variables: "{a:b}" });
    expectError(response, "INVALID_MULTIPART", { param: "variables" });
  });

  test("400 INVALID_MULTIPART for a form that is cut off", async () => {
    const whole = multipartBody({ name: "A" }, { name: "a.md", bytes: "Hello" });
    const response = await rawRequest({
      method: "POST",
      path: "/api/v1/templates/upload",
      headers: { "x-api-key": account.apiKey, "content-type": MULTIPART_TYPE },
      body: whole.subarray(0, whole.length - BOUNDARY.length),
    });
    expectError(response, "INVALID_MULTIPART");
  });

  test("413 FILE_TOO_LARGE for one byte above 1 MB, and for much more", async () => {
    for (const size of [MEGABYTE + 1, 20 * MEGABYTE]) {
      const response = await upload({ file: templateFile("x".repeat(size)) });
      expectError(response, "FILE_TOO_LARGE", { param: "file", message: "1 MB" });
    }
  });

  test("415 UNSUPPORTED_MEDIA_TYPE for JSON", async () => {
    const response = await api.post("/templates/upload", { name: "A", promptTemplate: "B" });
    expectError(response, "UNSUPPORTED_MEDIA_TYPE", { message: /multipart\/form-data/ });
    expectError(await call(api, "POST", "/templates/upload"), "UNSUPPORTED_MEDIA_TYPE");
  });
});
