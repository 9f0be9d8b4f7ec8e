import { test } from "playwright/test";
import { newKey } from "@/e2e/api/support/account-states";
import { callEndpoint } from "@/e2e/api/support/endpoint-requests";
import { expectError } from "@/e2e/api/support/expect-error";
import { newCaller } from "@/e2e/support/suite";
import { makeTestCaller, type TestCallerOptions } from "@/e2e/support/test-caller";
import { endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import type { ErrorCode } from "@/lib/domain/errors";
import { PERMISSIONS, type Permission } from "@/lib/domain/permissions";

/** Made from the list of endpoints: each of them × each key that must not be let through. */

const A_SECOND_MS = 1_000;

const REFUSED: [what: string, options: () => TestCallerOptions, code: ErrorCode][] = [
  ["revoked", () => ({ revokedAt: new Date() }), "INVALID_API_KEY"],
  ["expired", () => ({ expiresAt: new Date(Date.now() - A_SECOND_MS) }), "INVALID_API_KEY"],
  [
    "used from an address that is none of its own",
    () => ({ allowedNetworks: ["203.0.113.0/24"] }),
    "ADDRESS_NOT_ALLOWED",
  ],
  ["of an account that is not verified", () => ({ verificationStatus: "pending" }), "B2B_NOT_VERIFIED"],
  ["of a project that is switched off", () => ({ isApiEnabled: false }), "API_DISABLED"],
];

const keys = new Map<string, string>();
const single = new Map<Permission, string>();

test.beforeAll(async () => {
  for (const [what, options] of REFUSED) keys.set(what, (await makeTestCaller(options())).apiKey);
  const { account } = await newCaller();
  for (const permission of PERMISSIONS) {
    single.set(permission, (await newKey(account, { permissions: [permission] })).apiKey);
  }
});

for (const definition of ENDPOINTS.filter(({ auth }) => auth === "key")) {
  const { permission } = definition;
  test.describe(endpointName(definition), () => {
    test("401 MISSING_API_KEY without a key", async () => {
      expectError(await callEndpoint(definition, {}), "MISSING_API_KEY");
    });

    for (const [what, , code] of REFUSED) {
      test(`${code} for a key that is ${what}`.replace("is of", "is one of"), async () => {
        expectError(await callEndpoint(definition, { apiKey: keys.get(what) }), code);
      });
    }

    for (const other of permission === null ? [] : PERMISSIONS.filter((name) => name !== permission)) {
      test(`INSUFFICIENT_PERMISSION for a key that may do "${other}" alone`, async () => {
        const answer = await callEndpoint(definition, { apiKey: single.get(other) });
        expectError(answer, "INSUFFICIENT_PERMISSION", { message: `"${permission}"` });
      });
    }

    test("429 RATE_LIMITED beyond the limit, with Retry-After", async () => {
      const { apiKey } = await makeTestCaller({ requestsPerMinute: 1 });
      await callEndpoint(definition, { apiKey });
      expectError(await callEndpoint(definition, { apiKey }), "RATE_LIMITED");
    });
  });
}
