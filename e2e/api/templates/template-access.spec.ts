import { expect, test } from "playwright/test";
import { newKey, setVerification, switchApiOff } from "@/e2e/api/support/account-states";
import { expectError } from "@/e2e/api/support/expect-error";
import { call, createTemplate, TEMPLATE_CALLS, templateFile } from "@/e2e/api/templates/template-calls";
import { type ApiClient, type ApiResponse, apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import { ERROR_CODES } from "@/lib/domain/errors";

/** Makes every call of the resource with that client. */
async function callAll(api: ApiClient, id: string, check: (answer: ApiResponse<unknown>, name: string) => void) {
  for (const [method, path, body] of TEMPLATE_CALLS) {
    const isUpload = path(id).endsWith("/upload");
    const answer = isUpload
      ? await api.upload(path(id), { file: templateFile("Hello") })
      : await call(api, method, path(id), body);
    check(answer, `${method} ${path(id)}`);
  }
}

test.describe("every endpoint of templates", () => {
  test("401 without a key, and with one that is wrong", async () => {
    const { account, api } = await newCaller();
    const { id } = await createTemplate(api);
    await callAll(apiClient(suite.url), id, (answer) => expectError(answer, "MISSING_API_KEY"));
    const wrong = account.apiKey.slice(0, -1) + (account.apiKey.endsWith("A") ? "B" : "A");
    await callAll(apiClient(suite.url, wrong), id, (answer) => expectError(answer, "INVALID_API_KEY"));
    expect((await api.get("/templates")).body).toMatchObject({ pagination: { total: 1 } });
  });

  test("takes the key as Authorization: Bearer", async () => {
    const { account } = await newCaller();
    const response = await apiClient(suite.url).get("/templates", { authorization: `Bearer ${account.apiKey}` });
    expect(response.status).toBe(200);
  });

  test("403 INSUFFICIENT_PERMISSION names `templates`, whatever else the key may do", async () => {
    const { account, api } = await newCaller();
    const { id } = await createTemplate(api);
    const { apiKey } = await newKey(account, { permissions: ["chat", "process", "b2bSend"] });
    await callAll(apiClient(suite.url, apiKey), id, (answer) =>
      expectError(answer, "INSUFFICIENT_PERMISSION", { message: /\btemplates\b/ }),
    );
    expect((await api.get("/templates")).body).toMatchObject({ pagination: { total: 1 } });
  });

  test("`templates` is all that a key needs; it may not chat", async () => {
    const { account } = await newCaller();
    const { apiKey } = await newKey(account, { permissions: ["templates"] });
    const api = apiClient(suite.url, apiKey);
    const { id } = await createTemplate(api);
    await callAll(api, id, (answer, name) => {
      if (answer.status >= 300) expect(name, "read after its removal").toContain("/versions");
    });
    expectError(await api.post("/chat", { message: "Hi" }), "INSUFFICIENT_PERMISSION", { message: /\bchat\b/ });
  });

  test("a key that may only chat can use templates", async () => {
    const { account, api } = await newCaller();
    const { id } = await createTemplate(api);
    const { apiKey } = await newKey(account, { permissions: ["chat"] });
    expect((await apiClient(suite.url, apiKey).post("/chat", { templateId: id })).status).toBe(202);
  });

  test("403 when the account is not verified or the project's API is off", async () => {
    const [pending, off] = await Promise.all([newCaller(), newCaller()]);
    const [{ id }] = await Promise.all([createTemplate(pending.api), createTemplate(off.api)]);
    await Promise.all([setVerification(pending.account, "pending"), switchApiOff(off.account)]);
    await callAll(pending.api, id, (answer) => expectError(answer, "B2B_NOT_VERIFIED"));
    await callAll(off.api, id, (answer) => expectError(answer, "API_DISABLED"));
  });

  test("429 RATE_LIMITED with Retry-After when the key's requests are used up", async () => {
    const { api } = await newCaller({ rateLimitPerMinute: 2 });
    const { id } = await createTemplate(api);
    await api.get("/templates");
    await callAll(api, id, (answer) => {
      expectError(answer, "RATE_LIMITED");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    });
  });

  for (const [path, allow] of [
    ["/templates", ["GET", "POST", "HEAD", "OPTIONS"]],
    ["/templates/upload", ["POST", "OPTIONS"]],
    ["/templates/tpl_01k8z3v5n6f0mve1q5t9d2x7ab", ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"]],
    ["/templates/tpl_01k8z3v5n6f0mve1q5t9d2x7ab/versions", ["GET", "HEAD", "OPTIONS"]],
  ] as const) {
    test(`405 METHOD_NOT_ALLOWED with Allow for the other methods of ${path}`, async () => {
      const { api } = await newCaller();
      const others = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
        (method) => !allow.some((name) => name === method),
      );
      for (const method of others) {
        const answer = await call(api, method, path, method === "GET" ? undefined : {});
        expectError(answer, "METHOD_NOT_ALLOWED", { message: method });
        expect(answer.headers.get("allow")?.split(", ").sort()).toEqual([...allow].sort());
      }
    });
  }

  test("404 for paths beside them", async () => {
    const { api } = await newCaller();
    const { id } = await createTemplate(api);
    for (const path of [`/templates/${id}/versions/1`, `/templates/${id}/use`, "/templates/upload/x", "/template"]) {
      const answer = await api.get(path);
      expect(answer.status, path).toBe(ERROR_CODES.NOT_FOUND.status);
    }
  });

  test("HEAD answers as GET does, without the body", async () => {
    const { api } = await newCaller();
    const { id } = await createTemplate(api);
    for (const path of ["/templates", `/templates/${id}`, `/templates/${id}/versions`]) {
      const response = await api.fetch(path, { method: "HEAD" });
      expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: "" });
    }
  });

  test("stand in the catalog, in health and in the OpenAPI document with their permission", async () => {
    const { api } = await newCaller();
    interface Catalog {
      endpoints: { method: string; path: string; permission: string }[];
    }
    const { endpoints } = (await api.get<Catalog>("/docs")).body;
    const mine = endpoints.filter(({ path }) => path.startsWith("/templates"));
    expect(mine).toHaveLength(TEMPLATE_CALLS.length);
    expect(new Set(mine.map(({ permission }) => permission))).toEqual(new Set(["templates"]));
    const health = await api.get<{ endpoints: object }>("/health");
    for (const { method, path } of mine) expect(health.body.endpoints).toHaveProperty([`${method} ${path}`]);
  });
});
