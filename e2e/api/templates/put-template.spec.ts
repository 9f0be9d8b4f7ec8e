import { expect, test } from "playwright/test";
import { expectCommonHeaders, expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import {
  call,
  createTemplate,
  MISSING_TEMPLATE,
  type TemplatePage,
  type TemplateRecord,
} from "@/e2e/api/templates/template-calls";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";

const MEGABYTE = 1024 * 1024;

const put = <Body = TemplateRecord>(api: ApiClient, id: string, changes: unknown) =>
  call<Body>(api, "PUT", `/templates/${id}`, changes);

test.describe("PUT /templates/:id 200", () => {
  let api: ApiClient;
  let made: TemplateRecord;
  test.beforeEach(async () => {
    ({ api } = await newCaller());
    const fields = { promptTemplate: "Hello {{who}}", variables: { who: "you" }, description: "Old", tags: ["v1"] };
    made = await createTemplate(api, fields);
  });

  test("answers with the record after the change", async () => {
    const changes = { promptTemplate: "Bye {{who}}", variables: { who: "all" }, description: "New", tags: ["v2"] };
    const { status, headers, body } = await put(api, made.id, { ...changes, name: "Receipt" });
    expect(status).toBe(200);
    expectCommonHeaders(headers);
    expect(body).toEqual({ ...made, ...changes, name: "Receipt", version: 2, updatedAt: body.updatedAt });
    expect(body.updatedAt > made.updatedAt).toBe(true);
    expect((await api.get(`/templates/${made.id}`)).body).toEqual(body);
  });

  const CHANGES: [what: string, changes: Partial<TemplateRecord>, version: number][] = [
    ["promptTemplate", { promptTemplate: "New" }, 2],
    ["variables", { variables: { other: "x" } }, 2],
    ["variables to none", { variables: {} }, 2],
    ["promptTemplate to what it is", { promptTemplate: "Hello {{who}}" }, 1],
    ["variables to what they are", { variables: { who: "you" } }, 1],
    ["name", { name: "Receipt" }, 1],
    ["description", { description: "" }, 1],
    ["tags", { tags: [] }, 1],
  ];
  for (const [what, changes, version] of CHANGES) {
    test(`changes ${what} alone, and is at version ${version} then`, async () => {
      const { body } = await put(api, made.id, changes);
      expect(body).toEqual({ ...made, ...changes, version, updatedAt: body.updatedAt });
    });
  }

  test("removes the description with null", async () => {
    const { body } = await put(api, made.id, { description: null });
    expect(body).not.toHaveProperty("description");
  });

  test("keeps the slug when the name changes, and the name may come back", async () => {
    expect((await put(api, made.id, { name: "Receipt" })).body.slug).toBe("invoice-summary");
    expect((await createTemplate(api)).slug).toBe("invoice-summary-2");
  });

  test("loses no change of many at once: versions are consecutive", async () => {
    const texts = Array.from({ length: 15 }, (_, index) => `Text ${index}`);
    const answers = await Promise.all(texts.map((promptTemplate) => put(api, made.id, { promptTemplate })));
    expect(answers.map(({ status }) => status)).toEqual(Array(15).fill(200));
    const { body } = await api.get<TemplatePage<{ version: number; promptTemplate: string }>>(
      `/templates/${made.id}/versions?limit=100`,
    );
    expect(body.data.map(({ version }) => version)).toEqual(Array.from({ length: 16 }, (_, index) => 16 - index));
    for (const { body: answer } of answers) {
      const kept = body.data.find(({ version }) => version === answer.version);
      expect(kept?.promptTemplate).toBe(answer.promptTemplate);
    }
  });
});

test.describe("PUT /templates/:id 400", () => {
  let api: ApiClient;
  let made: TemplateRecord;
  test.beforeAll(async () => {
    ({ api } = await newCaller());
    made = await createTemplate(api);
  });
  test.afterAll(async () => {
    expect((await api.get(`/templates/${made.id}`)).body).toEqual(made);
  });

  test("for no field at all, and says what to do", async () => {
    const message = "body must have at least one field to change.";
    expectError(await put(api, made.id, {}), "VALIDATION_FAILED", { param: "body", message });
  });

  const CASES: [what: string, changes: unknown, param: string][] = [
    ["an empty name", { name: "" }, "name"],
    ["a name that is null", { name: null }, "name"],
    ["a name of 201 characters", { name: "n".repeat(201) }, "name"],
    ["an empty promptTemplate", { promptTemplate: "" }, "promptTemplate"],
    ["a promptTemplate of 100,001 characters", { promptTemplate: "p".repeat(100_001) }, "promptTemplate"],
    ["variables that are null", { variables: null }, "variables"],
    ["a variable that is a number", { variables: { a: 1 } }, "variables.a"],
    ["a description that is a number", { description: 1 }, "description"],
    ["tags that are null", { tags: null }, "tags"],
    ["the slug", { name: "A", slug: "b" }, "slug"],
    ["the version", { version: 7 }, "version"],
    ["the usageCount", { usageCount: 7 }, "usageCount"],
    ["the id", { id: "tpl_x" }, "id"],
    ["an unknown field", { nme: "A" }, "nme"],
    ["a field of the prototype", '{"__proto__":{"name":"A"}}', "__proto__"],
  ];
  for (const [what, changes, param] of CASES) {
    test(`names the field: ${what}`, async () => {
      expectError(await put(api, made.id, changes), "VALIDATION_FAILED", { param, message: param });
    });
  }

  test("INVALID_JSON for what is no JSON object", async () => {
    for (const body of ["", "{", "[]", "null"]) expectError(await put(api, made.id, body), "INVALID_JSON");
  });
});

test.describe("PUT /templates/:id other refusals", () => {
  test("404 is the same for missing, foreign and malformed ids, and changes nothing", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    const foreign = await createTemplate(other.api);
    const ids = [MISSING_TEMPLATE, foreign.id, foreign.slug, "x"];
    const answers = await Promise.all(ids.map((id) => put(mine.api, id, { name: "Mine now" })));
    for (const answer of answers) {
      expectError(answer, "NOT_FOUND", { message: "The template was not found." });
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
    }
    expect((await other.api.get(`/templates/${foreign.id}`)).body).toEqual(foreign);
  });

  test("400 of the body comes before the 404 of the id, whatever the id looks like", async () => {
    const { api } = await newCaller();
    for (const id of [MISSING_TEMPLATE, "x"]) {
      expectError(await put(api, id, { name: 7 }), "VALIDATION_FAILED", { param: "name" });
      expectError(await put(api, id, "{"), "INVALID_JSON");
    }
  });

  test("413 BODY_TOO_LARGE for more than 16 MB, and 415 for other than JSON", async () => {
    const { api } = await newCaller();
    const { id } = await createTemplate(api);
    expectError(await put(api, id, { description: "x".repeat(16 * MEGABYTE) }), "BODY_TOO_LARGE");
    const response = await api.fetch(`/templates/${id}`, {
      method: "PUT",
      body: '{"name":"A"}',
      headers: { "content-type": "text/plain" },
    });
    const { status, headers } = response;
    expectError({ status, headers, body: await response.json() }, "UNSUPPORTED_MEDIA_TYPE");
  });
});
