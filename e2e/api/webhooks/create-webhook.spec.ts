import { expect, test } from "playwright/test";
import { newKey, setVerification, switchApiOff } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, expectError, TIMESTAMP, withoutRequestId } from "@/e2e/api/support/expect-error";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { seedRegistrations } from "@/e2e/support/delivery-seeds";
import { newCaller, suite } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import type { ErrorCode } from "@/lib/domain/errors";
import { MAX_WEBHOOKS } from "@/lib/domain/limits";

const URL = "https://client.example/webhooks";
const GOOD = { url: URL, events: ["completion"] };

let account: TestAccount;
let api: ApiClient;
let path: string;

test.beforeEach(async () => {
  ({ account, api } = await newCaller());
  path = `//b2b/partners/${account.accountId}/webhooks`;
});

test.describe("POST /b2b/partners/:partnerId/webhooks 201", () => {
  test("answers the registration with its secret, and nothing else", async () => {
    const { status, headers, body } = await api.post(path, { ...GOOD, active: true });
    expect(status).toBe(201);
    expectCommonHeaders(headers);
    expect(headers.get("ratelimit-limit")).toBe("1200");
    expect(body).toEqual({
      id: expect.stringMatching(/^whk_[0-9a-z]{26}$/),
      partnerId: account.accountId,
      url: URL,
      events: ["completion"],
      active: true,
      status: "active",
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: expect.stringMatching(TIMESTAMP),
      lastDeliveryAt: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const row = await prisma().webhookRegistration.findUniqueOrThrow({ where: { id: String(body.id) } });
    expect(row).toMatchObject({ accountId: account.accountId, projectId: account.projectId, status: "active" });
    expect(JSON.stringify(row), "sealed at rest").not.toContain(String(body.secret).slice(6));
  });

  test("is active unless told otherwise", async () => {
    expect((await api.post(path, GOOD)).body).toMatchObject({ active: true, status: "active" });
    expect((await api.post(path, { ...GOOD, active: false })).body).toMatchObject({
      active: false,
      status: "inactive",
    });
  });

  test("takes every kind of event, each once", async () => {
    const kinds = ["completion", "error", "session.started", "session.timeout", "tokens.exceeded"];
    const { status, body } = await api.post(path, { url: URL, events: [...kinds, "error", "completion"] });
    expect({ status, events: body.events }).toEqual({ status: 201, events: kinds });
  });

  test("gives each registration a secret of its own, also for the same address", async () => {
    const [one, two] = await Promise.all([api.post(path, GOOD), api.post(path, GOOD)]);
    expect(one.body.id).not.toBe(two.body.id);
    expect(one.body.secret).not.toBe(two.body.secret);
  });

  test("takes any valid key of the account, whatever its permissions, in either header", async () => {
    const { apiKey } = await newKey(account, { permissions: ["templates"] });
    expect((await apiClient(suite.url, apiKey).post(path, GOOD)).status).toBe(201);
    const bearer = await apiClient(suite.url).post(path, GOOD, { authorization: `Bearer ${apiKey}` });
    expect(bearer.status).toBe(201);
  });

  test("registers once with an Idempotency-Key, and shows the same secret again", async () => {
    const key = { "idempotency-key": "register-1" };
    const [one, two] = [await api.post(path, GOOD, key), await api.post(path, GOOD, key)];
    expect(two.headers.get("idempotent-replayed")).toBe("true");
    expect([two.status, two.body]).toEqual([201, one.body]);
    expect(await prisma().webhookRegistration.count({ where: { projectId: account.projectId } })).toBe(1);
    const { rows } = await db().query("SELECT * FROM idempotency_keys WHERE project_id = $1", [account.projectId]);
    expect(JSON.stringify(rows), "sealed at rest").not.toContain(String(one.body.secret).slice(6));
    expectError(await api.post(path, { ...GOOD, events: ["error"] }, key), "IDEMPOTENCY_KEY_REUSED");
  });

  test("takes a port and a query", async () => {
    const url = "https://client.example:8443/in?tenant=1";
    expect((await api.post(path, { ...GOOD, url })).body.url).toBe(url);
  });
});

test.describe("POST /b2b/partners/:partnerId/webhooks 400", () => {
  test.afterEach(async () => {
    expect(await prisma().webhookRegistration.count({ where: { projectId: account.projectId } })).toBe(0);
  });

  const FIELDS: [what: string, body: unknown, param: string, message?: string | RegExp][] = [
    ["no url", { events: ["completion"] }, "url"],
    ["an empty url", { ...GOOD, url: "" }, "url"],
    ["a url that is no text", { ...GOOD, url: 1 }, "url"],
    ["a url of more than 2,048 characters", { ...GOOD, url: `${URL}/${"x".repeat(2_048)}` }, "url"],
    ["no events", { url: URL }, "events"],
    ["an empty list of events", { ...GOOD, events: [] }, "events"],
    ["events that is no list", { ...GOOD, events: "completion" }, "events"],
    [
      "an unknown event",
      { ...GOOD, events: ["completion", "session.ended"] },
      "events[1]",
      /completion.*session\.timeout/,
    ],
    ["an event in capitals", { ...GOOD, events: ["Completion"] }, "events[0]"],
    ["active as text", { ...GOOD, active: "true" }, "active"],
    ["an unknown field", { ...GOOD, partnerId: "acc_x" }, "partnerId"],
  ];
  for (const [what, body, param, message] of FIELDS) {
    test(`VALIDATION_FAILED names the field: ${what}`, async () => {
      expectError(await api.post(path, body), "VALIDATION_FAILED", { param, ...(message && { message }) });
    });
  }

  const BODIES: [what: string, body: string][] = [
    ["no JSON", "{"],
    ["a list", "[]"],
    ["nothing", ""],
  ];
  for (const [what, body] of BODIES) {
    test(`INVALID_JSON for ${what}`, async () => {
      expectError(await api.post(path, body), "INVALID_JSON");
    });
  }

  const ADDRESSES: [url: string, code: ErrorCode][] = [
    ["http://client.example/", "URL_NOT_HTTPS"],
    ["ftp://client.example/", "URL_NOT_HTTPS"],
    ["javascript:alert(1)", "URL_NOT_HTTPS"],
    ["client.example/webhooks", "URL_NOT_HTTPS"],
    ["https://127.0.0.2/", "URL_NOT_ALLOWED"],
    ["https://2130706434/", "URL_NOT_ALLOWED"],
    ["https://0x7f000002/", "URL_NOT_ALLOWED"],
    ["https://0177.0.0.2/", "URL_NOT_ALLOWED"],
    ["https://10.0.0.1/", "URL_NOT_ALLOWED"],
    ["https://169.254.169.254/latest/meta-data/", "URL_NOT_ALLOWED"],
    ["https://[::1]/", "URL_NOT_ALLOWED"],
    ["https://[::ffff:10.0.0.1]/", "URL_NOT_ALLOWED"],
    ["https://[fd00::1]/", "URL_NOT_ALLOWED"],
    ["https://metadata.google.internal/", "URL_NOT_ALLOWED"],
    ["https://user:password@client.example/", "URL_NOT_ALLOWED"],
    ["https://client.example:22/", "URL_NOT_ALLOWED"],
  ];
  for (const [url, code] of ADDRESSES) {
    test(`${code} for ${url}`, async () => {
      expectError(await api.post(path, { ...GOOD, url }), code, { param: "url" });
    });
  }
});

test.describe("POST /b2b/partners/:partnerId/webhooks refused", () => {
  test(`VALIDATION_FAILED for one more than ${MAX_WEBHOOKS} of a project, whatever comes at once`, async () => {
    await seedRegistrations(MAX_WEBHOOKS - 3, { ...account, url: URL });
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.post(path, GOOD)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const answer of refused) expectError(answer, "VALIDATION_FAILED", { message: /at most 500 webhooks.*panel/ });
    expect(await prisma().webhookRegistration.count({ where: { projectId: account.projectId } })).toBe(MAX_WEBHOOKS);
  });

  test("401 without a key and with a wrong one", async () => {
    expectError(await apiClient(suite.url).post(path, GOOD), "MISSING_API_KEY");
    expectError(await apiClient(suite.url, `bld_${"x".repeat(32)}`).post(path, GOOD), "INVALID_API_KEY");
  });

  test("403 B2B_NOT_VERIFIED for an account that is not verified", async () => {
    await setVerification(account, "pending");
    expectError(await api.post(path, GOOD), "B2B_NOT_VERIFIED");
  });

  test("403 API_DISABLED when the project's API is off", async () => {
    await switchApiOff(account);
    expectError(await api.post(path, GOOD), "API_DISABLED");
  });

  test("404 for another account and for none, by the same words", async () => {
    const other = await newCaller();
    const partners = [other.account.accountId, "acc_01k8z3v5n6f0mve1q5t9d2x7ab", "not-an-id", account.projectId];
    const answers = await Promise.all(partners.map((id) => api.post(`//b2b/partners/${id}/webhooks`, GOOD)));
    for (const answer of answers) {
      expectError(answer, "NOT_FOUND", { message: "The partner was not found." });
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
    }
    const where = { accountId: { in: [account.accountId, other.account.accountId] } };
    expect(await prisma().webhookRegistration.count({ where })).toBe(0);
  });

  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    test(`405 for ${method}`, async () => {
      const response = await api.fetch(path, { method });
      expect(response.headers.get("allow")).toBe("POST, OPTIONS");
      const { status, headers } = response;
      expectError({ status, headers, body: await response.json() }, "METHOD_NOT_ALLOWED");
    });
  }

  test("415 for a form", async () => {
    expectError(await api.upload(path, { url: URL, events: "completion" }), "UNSUPPORTED_MEDIA_TYPE");
  });

  test("429 with Retry-After beyond the key's limit", async () => {
    const limited = await newCaller({ rateLimitPerMinute: 1 });
    const ownPath = `//b2b/partners/${limited.account.accountId}/webhooks`;
    expect((await limited.api.post(ownPath, GOOD)).status).toBe(201);
    const refused = await limited.api.post(ownPath, GOOD);
    expectError(refused, "RATE_LIMITED");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
