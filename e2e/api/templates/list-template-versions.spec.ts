import { expect, test } from "playwright/test";
import { expectCommonHeaders, expectError, TIMESTAMP, withoutRequestId } from "@/e2e/api/support/expect-error";
import { call, createTemplate, MISSING_TEMPLATE, type TemplatePage } from "@/e2e/api/templates/template-calls";
import { newCaller } from "@/e2e/support/suite";

interface Version {
  version: number;
  promptTemplate: string;
  variables: Record<string, string>;
  createdAt: string;
}

test.describe("GET /templates/:id/versions 200", () => {
  test("holds every text that the template had, newest first", async () => {
    const { api } = await newCaller();
    const made = await createTemplate(api, { promptTemplate: "One", variables: { a: "b" } });
    const path = `/templates/${made.id}`;
    await call(api, "PUT", path, { promptTemplate: "Two" });
    await call(api, "PUT", path, { name: "No version of its own" });
    const last = await call<{ updatedAt: string }>(api, "PUT", path, { variables: {} });
    const { status, headers, body } = await api.get<TemplatePage<Version>>(`${path}/versions`);
    expect(status).toBe(200);
    expectCommonHeaders(headers);
    expect(body).toEqual({
      data: [
        { version: 3, promptTemplate: "Two", variables: {}, createdAt: last.body.updatedAt },
        { version: 2, promptTemplate: "Two", variables: { a: "b" }, createdAt: expect.stringMatching(TIMESTAMP) },
        { version: 1, promptTemplate: "One", variables: { a: "b" }, createdAt: made.createdAt },
      ],
      pagination: { limit: 20, offset: 0, total: 3, hasMore: false },
    });
  });

  test("pages", async () => {
    const { api } = await newCaller();
    const { id } = await createTemplate(api, { promptTemplate: "1" });
    for (let version = 2; version <= 5; version++) {
      await call(api, "PUT", `/templates/${id}`, { promptTemplate: `${version}` });
    }
    const page = await api.get<TemplatePage<Version>>(`/templates/${id}/versions?limit=2&offset=2`);
    expect(page.body.data.map(({ version }) => version)).toEqual([3, 2]);
    expect(page.body.pagination).toEqual({ limit: 2, offset: 2, total: 5, hasMore: true });
    const behind = await api.get<TemplatePage<Version>>(`/templates/${id}/versions?offset=9`);
    expect(behind.body).toMatchObject({ data: [], pagination: { total: 5, hasMore: false } });
  });
});

test.describe("GET /templates/:id/versions refusals", () => {
  test("404 is the same for missing, foreign and malformed ids", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    const foreign = await createTemplate(other.api);
    const ids = [MISSING_TEMPLATE, foreign.id, "x"];
    const answers = await Promise.all(ids.map((id) => mine.api.get(`/templates/${id}/versions`)));
    for (const answer of answers) {
      expectError(answer, "NOT_FOUND", { message: "The template was not found." });
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
    }
  });

  test("400 VALIDATION_FAILED names the parameter", async () => {
    const { api } = await newCaller();
    const { id } = await createTemplate(api);
    for (const [query, param] of [
      ["limit=0", "limit"],
      ["limit=101", "limit"],
      ["offset=-1", "offset"],
      ["offset=x", "offset"],
    ] as const) {
      expectError(await api.get(`/templates/${id}/versions?${query}`), "VALIDATION_FAILED", { param });
    }
  });
});
