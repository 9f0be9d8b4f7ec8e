import { expect, test } from "playwright/test";
import { newKey, setVerification, switchApiOff } from "@/e2e/api/support/account-states";
import { expectError } from "@/e2e/api/support/expect-error";
import { apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import type { Permission } from "@/lib/domain/permissions";

export interface RefusedEndpoint {
  /** Behind {base_url}. */
  path: string;
  permission: Permission;
  /** A body of any kind that would do. */
  body?: () => RequestInit;
}

/** The refusals that every POST with a permission shares: 401, 403, 405, 415 and 429. */
export function testRefusals({ path, permission, body = () => ({}) }: RefusedEndpoint): void {
  const send = async (apiKey: string | undefined, init: RequestInit = body()) => {
    const response = await apiClient(suite.url, apiKey).fetch(path, { method: "POST", ...init });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  test("401 MISSING_API_KEY and INVALID_API_KEY", async () => {
    expectError(await send(undefined), "MISSING_API_KEY");
    expectError(await send(`bld_${"x".repeat(32)}`), "INVALID_API_KEY");
  });

  test(`403 INSUFFICIENT_PERMISSION without "${permission}"`, async () => {
    const { account } = await newCaller();
    const others = (["chat", "process", "templates", "b2bSend"] as const).filter((name) => name !== permission);
    const { apiKey } = await newKey(account, { permissions: others });
    expectError(await send(apiKey), "INSUFFICIENT_PERMISSION", { message: new RegExp(permission) });
  });

  test("403 B2B_NOT_VERIFIED and API_DISABLED", async () => {
    const { account } = await newCaller();
    await setVerification(account, "pending");
    expectError(await send(account.apiKey), "B2B_NOT_VERIFIED");
    await setVerification(account, "verified");
    await switchApiOff(account);
    expectError(await send(account.apiKey), "API_DISABLED");
  });

  test("405 METHOD_NOT_ALLOWED with Allow", async () => {
    const { api } = await newCaller();
    const response = await api.fetch(path, { method: "DELETE" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toContain("POST");
  });

  test("429 RATE_LIMITED with Retry-After", async () => {
    const { account } = await newCaller({ rateLimitPerMinute: 1 });
    await send(account.apiKey);
    const refused = await send(account.apiKey);
    expectError(refused, "RATE_LIMITED");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("415 UNSUPPORTED_MEDIA_TYPE", async () => {
    const { account } = await newCaller();
    const init = { headers: { "content-type": "text/plain" }, body: "hello" };
    expectError(await send(account.apiKey, init), "UNSUPPORTED_MEDIA_TYPE");
  });
}

/** The body of a form. */
export function formBody(fields: [name: string, value: string | File][]): RequestInit {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return { body: form };
}
