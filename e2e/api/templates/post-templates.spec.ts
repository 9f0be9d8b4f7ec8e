import { expect, test } from "playwright/test";
import { expectCommonHeaders, expectError, TIMESTAMP } from "@/e2e/api/support/expect-error";
import { HOSTILE_TEXTS } from "@/e2e/api/templates/hostile-texts";
import { call, createTemplate, type TemplateRecord } from "@/e2e/api/templates/template-calls";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";

const MEGABYTE = 1024 * 1024;

test.describe("POST /templates 201", () => {
  let api: ApiClient;
  test.beforeAll(async () => {
    ({ api } = await newCaller());
  });

  test("answers with the record of §2.3, updatedAt and version, and the same is there to read", async () => {
    const fields = {
      name: "Monthly report",
      promptTemplate: "Report on {{month}} for {{ client.name }}",
      variables: { month: "the month", "client.name": "ACME" },
      description: "For the board",
      tags: ["v1", "reports"],
    };
    const { status, headers, body } = await api.post<TemplateRecord>("/templates", fields);
    expect(status).toBe(201);
    expectCommonHeaders(headers);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(body).toEqual({
      id: expect.stringMatching(/^tpl_[0-9a-hjkmnp-tv-z]{26}$/),
      slug: "monthly-report",
      ...fields,
      usageCount: 0,
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: body.createdAt,
      version: 1,
    });
    expect((await api.get(`/templates/${body.id}`)).body).toEqual(body);
  });

  test("needs a name and a prompt and nothing else", async () => {
    const made = await createTemplate(api, { name: "Bare" });
    expect(made).toMatchObject({ variables: {}, tags: [] });
    expect(made).not.toHaveProperty("description");
  });

  test("takes each field at its longest", async () => {
    const fields = {
      name: "n".repeat(200),
      promptTemplate: "p".repeat(100_000),
      description: "d".repeat(10_000),
      tags: Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(100, "t")),
      variables: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`v${index}`.padEnd(100, "n"), "x"])),
    };
    expect(await createTemplate(api, fields)).toMatchObject(fields);
  });

  test("keeps a tag that is there twice once", async () => {
    expect((await createTemplate(api, { tags: ["a", "b", "a"] })).tags).toEqual(["a", "b"]);
  });

  test("takes names of prototypes among the variables as names like any other", async () => {
    const variables = '{"__proto__":"p","constructor":"c","toString":"t","hasOwnProperty":"h"}';
    const response = await api.post<TemplateRecord>(
      "/templates",
      `{"name":"Prototypes","promptTemplate":"{{__proto__}}","variables":${variables}}`,
    );
    expect(response.status).toBe(201);
    const entries = (record: TemplateRecord) => Object.entries(record.variables).sort();
    expect(entries(response.body)).toEqual([
      ["__proto__", "p"],
      ["constructor", "c"],
      ["hasOwnProperty", "h"],
      ["toString", "t"],
    ]);
    const read = await api.get<TemplateRecord>(`/templates/${response.body.id}`);
    expect(entries(read.body)).toEqual(entries(response.body));
  });

  for (const [what, text] of HOSTILE_TEXTS) {
    test(`keeps every character of ${what}`, async () => {
      const fields = { name: text, promptTemplate: text, variables: { a: text }, description: text };
      const made = await createTemplate(api, { ...fields, tags: [text.slice(0, 100).toWellFormed()] });
      expect(made).toMatchObject(fields);
      expect(made.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect((await api.get(`/templates/${made.id}`)).body).toEqual(made);
    });
  }
});

test.describe("POST /templates slug", () => {
  test("counts on for each further template of the name", async () => {
    const { api } = await newCaller();
    for (const slug of ["invoice-summary", "invoice-summary-2", "invoice-summary-3"]) {
      expect((await createTemplate(api)).slug).toBe(slug);
    }
  });

  test("is each once when 20 creations of one name arrive at once", async () => {
    const { api } = await newCaller();
    const made = await Promise.all(Array.from({ length: 20 }, () => createTemplate(api)));
    const expected = Array.from({ length: 20 }, (_, index) => `invoice-summary${index === 0 ? "" : `-${index + 1}`}`);
    expect(made.map(({ slug }) => slug).sort()).toEqual(expected.sort());
  });

  test("is made of names in any script", async () => {
    const { api } = await newCaller();
    const slugs = [];
    for (const name of ["Résumé à jour", "発票", "Отчёт", "🧾"]) slugs.push((await createTemplate(api, { name })).slug);
    expect(slugs).toEqual(["resume-a-jour", "template", "template-2", "template-3"]);
  });
});

test.describe("POST /templates refusals", () => {
  let account: TestAccount;
  let api: ApiClient;
  test.beforeAll(async () => {
    ({ account, api } = await newCaller());
  });
  test.afterAll(async () => {
    expect(await prisma().template.count({ where: { projectId: account.projectId } })).toBe(0);
  });

  const good = { name: "A", promptTemplate: "B" };
  const CASES: [what: string, body: unknown, param: string][] = [
    ["no name", { promptTemplate: "B" }, "name"],
    ["an empty name", { ...good, name: "" }, "name"],
    ["a blank name", { ...good, name: " \n " }, "name"],
    ["a name of 201 characters", { ...good, name: "n".repeat(201) }, "name"],
    ["a name that is a number", { ...good, name: 1 }, "name"],
    ["a name with NUL", { ...good, name: "a\0b" }, "name"],
    ["no promptTemplate", { name: "A" }, "promptTemplate"],
    ["an empty promptTemplate", { ...good, promptTemplate: "" }, "promptTemplate"],
    ["a promptTemplate of 100,001 characters", { ...good, promptTemplate: "p".repeat(100_001) }, "promptTemplate"],
    ["a promptTemplate that is null", { ...good, promptTemplate: null }, "promptTemplate"],
    ["a promptTemplate with NUL", { ...good, promptTemplate: "\0" }, "promptTemplate"],
    [
      "1,001 different placeholders",
      { ...good, promptTemplate: Array.from({ length: 1_001 }, (_, index) => `{{v${index}}}`).join("") },
      "promptTemplate",
    ],
    ["a placeholder of 201 characters", { ...good, promptTemplate: `{{${"n".repeat(201)}}}` }, "promptTemplate"],
    ["variables that are an array", { ...good, variables: ["a"] }, "variables"],
    ["variables that are a string", { ...good, variables: '{"a":"b"}' }, "variables"],
    ["variables that are null", { ...good, variables: null }, "variables"],
    ["a variable that is a number", { ...good, variables: { a: 1 } }, "variables.a"],
    ["a variable that is an object", { ...good, variables: { a: {} } }, "variables.a"],
    ["a variable with NUL", { ...good, variables: { a: "\0" } }, "variables.a"],
    ["a variable without a name", { ...good, variables: { "": "x" } }, "variables."],
    ["a variable's name with a blank", { ...good, variables: { "a b": "x" } }, "variables.a b"],
    ["a variable's name in braces", { ...good, variables: { "{{a}}": "x" } }, "variables.{{a}}"],
    ["a variable's name of 201 characters", { ...good, variables: { ["n".repeat(201)]: "x" } }, "variables."],
    [
      "1,001 variables",
      { ...good, variables: Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`v${index}`, "x"])) },
      "variables",
    ],
    ["variables of more than 200,000 characters", { ...good, variables: { a: "x".repeat(200_000) } }, "variables"],
    ["a description that is no string", { ...good, description: [] }, "description"],
    ["a description of 10,001 characters", { ...good, description: "d".repeat(10_001) }, "description"],
    ["tags that are a string", { ...good, tags: "a,b" }, "tags"],
    ["an empty tag", { ...good, tags: ["a", ""] }, "tags[1]"],
    ["a tag that is a number", { ...good, tags: [1] }, "tags[0]"],
    ["a tag of 101 characters", { ...good, tags: ["t".repeat(101)] }, "tags[0]"],
    ["51 tags", { ...good, tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }, "tags"],
    ["an unknown field", { ...good, promt: "x" }, "promt"],
    ["a slug", { ...good, slug: "a" }, "slug"],
    ["an id", { ...good, id: "tpl_1" }, "id"],
    ["a usageCount", { ...good, usageCount: 5 }, "usageCount"],
    ["a field of the prototype", '{"name":"A","promptTemplate":"B","__proto__":{"x":1}}', "__proto__"],
  ];
  for (const [what, body, param] of CASES) {
    test(`400 VALIDATION_FAILED names the field: ${what}`, async () => {
      const response = await api.post<{ error: { param: string } }>("/templates", body);
      expectError(response, "VALIDATION_FAILED", { message: param.split(/[.[]/)[0] });
      expect(response.body.error.param.startsWith(param)).toBe(true);
    });
  }

  test("400 VALIDATION_FAILED names every wrong field at once", async () => {
    const response = await api.post<{ error: { details: { param: string }[] } }>("/templates", {
      name: 1,
      tags: 1,
      x: 1,
    });
    expectError(response, "VALIDATION_FAILED");
    const params = response.body.error.details.map(({ param }) => param).sort();
    expect(params).toEqual(["name", "promptTemplate", "tags", "x"]);
  });

  for (const body of ["", "{", "[]", '"text"', "null", "{'name':'A'}"]) {
    test(`400 INVALID_JSON for ${JSON.stringify(body)}`, async () => {
      expectError(await call(api, "POST", "/templates", body), "INVALID_JSON");
    });
  }

  test("413 BODY_TOO_LARGE for more than 16 MB", async () => {
    expectError(await api.post("/templates", { ...good, promptTemplate: "x".repeat(16 * MEGABYTE) }), "BODY_TOO_LARGE");
  });

  test("415 UNSUPPORTED_MEDIA_TYPE for other than JSON", async () => {
    const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];
    for (const type of types) {
      const response = await api.post("/templates", good, { "content-type": type });
      expectError(response, "UNSUPPORTED_MEDIA_TYPE", { message: /application\/json/ });
    }
  });
});
