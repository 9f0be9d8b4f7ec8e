import { expect, test } from "playwright/test";
import { newKey, setVerification, switchApiOff } from "@/e2e/api/support/account-states";
import { expectError } from "@/e2e/api/support/expect-error";
import { apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import { PERMISSIONS } from "@/lib/domain/permissions";

/** What a GET that any valid key may send shares with others of its kind: any permission does; 401, 403, 405 and 429. */
export function testReadRefusals(path: string): void {
  const get = (apiKey?: string) => apiClient(suite.url, apiKey).get(path);

  for (const permission of PERMISSIONS) {
    test(`200 with a key that has only the permission "${permission}"`, async () => {
      const { account } = await newCaller();
      const { apiKey } = await newKey(account, { permissions: [permission] });
      expect((await get(apiKey)).status).toBe(200);
    });
  }

  test("401 MISSING_API_KEY and INVALID_API_KEY", async () => {
    expectError(await get(), "MISSING_API_KEY");
    expectError(await get(`bld_${"x".repeat(32)}`), "INVALID_API_KEY");
  });

  test("403 B2B_NOT_VERIFIED and API_DISABLED", async () => {
    const { account } = await newCaller();
    await setVerification(account, "suspended");
    expectError(await get(account.apiKey), "B2B_NOT_VERIFIED");
    await setVerification(account, "verified");
    await switchApiOff(account);
    expectError(await get(account.apiKey), "API_DISABLED");
  });

  test("405 METHOD_NOT_ALLOWED with Allow", async () => {
    const { api } = await newCaller();
    const response = await api.fetch(path, { method: "POST" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });

  test("429 RATE_LIMITED with Retry-After", async () => {
    const { account } = await newCaller({ rateLimitPerMinute: 1 });
    expect((await get(account.apiKey)).status).toBe(200);
    const refused = await get(account.apiKey);
    expectError(refused, "RATE_LIMITED");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });
}
