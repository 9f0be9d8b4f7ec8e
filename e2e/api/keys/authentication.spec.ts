import { expect, test } from "playwright/test";
import { newKey, setVerification, switchApiOff } from "@/e2e/api/support/account-states";
import { callEndpoint } from "@/e2e/api/support/endpoint-requests";
import { expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import { endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { prisma } from "@/lib/db/prisma";
import { newApiKey } from "@/lib/domain/api-key";
import { PERMISSIONS } from "@/lib/domain/permissions";
import { limitApiKey } from "@/lib/services/api-keys/limit-api-key";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";

const KEYED = ENDPOINTS.filter(({ auth }) => auth === "key");
const anyone = apiClient(suite.url);
const PATH = "/chat/sessions";

test.describe("a key is taken", () => {
  const FORMS: [what: string, headers: (key: string) => Record<string, string>][] = [
    ["as X-API-Key", (key) => ({ "X-API-Key": key })],
    ["as x-api-key, with blanks around it", (key) => ({ "x-api-key": `  ${key} ` })],
    ["as Authorization: Bearer", (key) => ({ Authorization: `Bearer ${key}` })],
    ["as authorization: bearer", (key) => ({ authorization: `bearer ${key}` })],
    ["as AUTHORIZATION: BEARER, with more blanks", (key) => ({ AUTHORIZATION: `BEARER   ${key}` })],
    ["as both, when they say the same", (key) => ({ "x-api-key": key, authorization: `Bearer ${key}` })],
    ["as X-API-Key beside credentials of another kind", (key) => ({ "x-api-key": key, authorization: "Basic dTpw" })],
  ];
  for (const [what, headers] of FORMS) {
    test(what, async () => {
      const { account } = await newCaller();
      expect((await anyone.get(PATH, headers(account.apiKey))).status).toBe(200);
    });
  }

  test("and its last use is noted, with the address", async () => {
    const { account, api } = await newCaller();
    await api.get(PATH);
    const read = () => prisma().apiKey.findUniqueOrThrow({ where: { id: account.principal.apiKeyId } });
    await expect.poll(async () => (await read()).lastUsedIp).toMatch(/127\.0\.0\.1$/);
    expect((await read()).lastUsedAt).not.toBeNull();
  });
});

test.describe("401 MISSING_API_KEY", () => {
  for (const [what, headers] of [
    ["no header", {}],
    ["an empty X-API-Key", { "x-api-key": "" }],
    ["an empty Bearer", { authorization: "Bearer " }],
    ["another scheme", { authorization: "Basic dTpw" }],
    ["a key without its scheme", { authorization: newApiKey() }],
  ] as const) {
    test(`for ${what}`, async () => {
      const response = await anyone.get(PATH, headers);
      expectError(response, "MISSING_API_KEY", { message: /X-API-Key/ });
      expect(response.headers.get("www-authenticate")).toBe('Bearer realm="api"');
    });
  }

  test("is not avoided by a key in the query", async () => {
    const { account } = await newCaller();
    expectError(await anyone.get(`${PATH}?api_key=${account.apiKey}&apiKey=${account.apiKey}`), "MISSING_API_KEY");
  });
});

test.describe("401 INVALID_API_KEY", () => {
  test("for every wrong key, in the same words, so that nothing can be learnt", async () => {
    const { account } = await newCaller();
    const { apiKey } = account;
    const flipped = apiKey.slice(0, -1) + (apiKey.endsWith("a") ? "b" : "a");
    const [revoked, expired] = await Promise.all([
      newKey(account),
      newKey(account, { expiresAt: new Date(Date.now() + 1_000) }),
    ]);
    await revokeApiKey({ kind: "operator" }, { keyId: revoked.keyId });
    await prisma().apiKey.update({ where: { id: expired.keyId }, data: { expiresAt: new Date(Date.now() - 1_000) } });
    const wrong = {
      malformed: "nonsense",
      "too short": apiKey.slice(0, -1),
      "too long": `${apiKey}a`,
      "with another prefix": `xyz_${apiKey.slice(4)}`,
      "in another case": apiKey.toUpperCase(),
      "with a wrong checksum": flipped,
      "well-formed and unknown": newApiKey(),
      revoked: revoked.apiKey,
      expired: expired.apiKey,
      injected: "bld_' OR 1=1 --",
      "of 10,000 characters": "x".repeat(10_000),
      "two in one header": `${apiKey}, ${apiKey}`,
    };
    const first = await anyone.get(PATH, { "x-api-key": wrong.malformed });
    for (const [what, key] of Object.entries(wrong)) {
      for (const [name, value] of [
        ["x-api-key", key],
        ["authorization", `Bearer ${key}`],
      ] as const) {
        const response = await anyone.get(PATH, { [name]: value });
        expectError(response, "INVALID_API_KEY");
        expect(withoutRequestId(response), what).toEqual(withoutRequestId(first));
        expect(response.headers.get("ratelimit-limit")).toBeNull();
        expect(JSON.stringify(response.body)).not.toContain(key.slice(0, 20));
      }
    }
  });

  test("when the two headers say different things", async () => {
    const [a, b] = await Promise.all([newCaller(), newCaller()]);
    const headers = { "x-api-key": a.account.apiKey, authorization: `Bearer ${b.account.apiKey}` };
    expectError(await anyone.get(PATH, headers), "INVALID_API_KEY");
  });

  test("from the moment a key is revoked, and only for that key", async () => {
    const { account, api } = await newCaller();
    const further = await newKey(account);
    const with2 = apiClient(suite.url, further.apiKey);
    expect((await with2.get(PATH)).status).toBe(200);
    await revokeApiKey({ kind: "operator" }, { keyId: further.keyId });
    expectError(await with2.get(PATH), "INVALID_API_KEY");
    expect((await api.get(PATH)).status).toBe(200);
  });
});

test.describe("every endpoint that needs a key", () => {
  for (const definition of KEYED) {
    const { permission } = definition;
    test(`${endpointName(definition)}: 401 without, whatever else is wrong; 403 unverified, switched off${permission ? ", without its permission" : ""}`, async () => {
      expectError(await callEndpoint(definition, {}), "MISSING_API_KEY");
      expectError(await callEndpoint(definition, { apiKey: newApiKey() }), "INVALID_API_KEY");
      const { account } = await newCaller();
      if (permission !== null) {
        const others = PERMISSIONS.filter((name) => name !== permission);
        const { apiKey } = await newKey(account, { permissions: others });
        const refused = await callEndpoint(definition, { apiKey });
        expectError(refused, "INSUFFICIENT_PERMISSION", { message: new RegExp(`"${permission}"`) });
        expect(refused.headers.get("ratelimit-limit")).toBe("1200");
        const { apiKey: enough } = await newKey(account, { permissions: [permission] });
        expect((await callEndpoint(definition, { apiKey: enough })).status).not.toBe(403);
      }
      await switchApiOff(account);
      expectError(await callEndpoint(definition, { apiKey: account.apiKey }), "API_DISABLED");
      await setVerification(account, "suspended");
      expectError(await callEndpoint(definition, { apiKey: account.apiKey }), "B2B_NOT_VERIFIED");
    });
  }
});

test.describe("403 ADDRESS_NOT_ALLOWED", () => {
  test("names the address that the call came from, whatever the client claims, and spends nothing of the key's rate", async () => {
    const { account } = await newCaller();
    const { apiKey } = await newKey(account, { allowedNetworks: ["203.0.113.0/24", "2001:db8::/32"] });
    const api = apiClient(suite.url, apiKey);
    const claimed = { "x-forwarded-for": "203.0.113.7", "x-service-remote-address": "203.0.113.7" };
    const before = await api.get(PATH);
    expectError(before, "ADDRESS_NOT_ALLOWED", { message: /from 127\.0\.0\.1\./ });
    const after = await api.get(PATH, claimed);
    expectError(after, "ADDRESS_NOT_ALLOWED");
    for (const answer of [before, after]) expect(answer.headers.get("ratelimit-remaining")).toBe("1200");
  });

  test("is of that key alone, and comes to an end with the next call after its addresses changed", async () => {
    const { account, api } = await newCaller();
    const { keyId, apiKey } = await newKey(account, { allowedNetworks: ["203.0.113.7"] });
    const limited = apiClient(suite.url, apiKey);
    const allow = (allowedNetworks: string[]) =>
      limitApiKey({ kind: "operator" }, account.principal, { keyId, allowedNetworks });
    expectError(await limited.get(PATH), "ADDRESS_NOT_ALLOWED");
    expect((await api.get(PATH)).status).toBe(200);
    await allow(["203.0.113.7", "127.0.0.0/8"]);
    expect((await limited.get(PATH)).status).toBe(200);
    await allow(["203.0.113.7"]);
    expectError(await limited.get(PATH), "ADDRESS_NOT_ALLOWED");
    await allow([]);
    expect((await limited.get(PATH)).status).toBe(200);
  });
});

test.describe("403 B2B_NOT_VERIFIED", () => {
  for (const status of ["unsubmitted", "pending", "more_info", "rejected", "suspended"]) {
    test(`while verification is ${status}, and no longer once it is there`, async () => {
      const { account, api } = await newCaller();
      await setVerification(account, status);
      const message = status === "suspended" ? /suspended/ : /48 hours/;
      expectError(await api.get(PATH), "B2B_NOT_VERIFIED", { message });
      await setVerification(account, "verified");
      expect((await api.get(PATH)).status).toBe(200);
    });
  }
});
