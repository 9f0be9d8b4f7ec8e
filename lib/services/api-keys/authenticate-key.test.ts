import { afterEach, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { makeTestCaller, type TestCallerOptions } from "@/e2e/support/test-caller";
import { db, logDb } from "@/lib/db/pool";
import { newApiKey } from "@/lib/domain/api-key";
import { NO_ALLOWANCES } from "@/lib/domain/principal";
import { authenticateKey } from "@/lib/services/api-keys/authenticate-key";
import { readBucket, takeToken } from "@/lib/services/rate-limits/take-token";

useServiceDatabase();

afterEach(() => vi.restoreAllMocks());

describe("authenticateKey", () => {
  it("says whose key it is, what it may do and how often", async () => {
    const caller = await makeTestCaller({ permissions: ["chat"], planId: "growth" });
    expect(await authenticateKey(caller.apiKey)).toEqual({
      principal: {
        accountId: caller.accountId,
        projectId: caller.projectId,
        apiKeyId: caller.keyId,
        permissions: ["chat"],
        planId: "growth",
        model: null,
        allowances: NO_ALLOWANCES,
      },
      verificationStatus: "verified",
      isAddressAllowed: true,
      isApiEnabled: true,
      requestsPerMinute: 1_200,
      rateLimit: null,
    });
  });

  it("lets an account's own limit go before its plan's", async () => {
    const { apiKey } = await makeTestCaller({ planId: "growth", requestsPerMinute: 7 });
    expect((await authenticateKey(apiKey)).requestsPerMinute).toBe(7);
  });

  it.each<[string, TestCallerOptions]>([
    ["revoked", { revokedAt: new Date(Date.now() - 1_000) }],
    ["expired", { expiresAt: new Date(Date.now() - 1_000) }],
  ])("refuses a key that is %s", async (_what, options) => {
    const { apiKey } = await makeTestCaller(options);
    await expect(authenticateKey(apiKey)).rejects.toMatchObject({ code: "INVALID_API_KEY" });
  });

  it("takes a key that expires later", async () => {
    const { apiKey } = await makeTestCaller({ expiresAt: new Date(Date.now() + 60_000) });
    await expect(authenticateKey(apiKey)).resolves.toBeDefined();
  });

  it("refuses a key from the moment it is revoked", async () => {
    const { apiKey, keyId } = await makeTestCaller();
    await authenticateKey(apiKey);
    await db().query("UPDATE api_keys SET revoked_at = now() WHERE id = $1", [keyId]);
    await expect(authenticateKey(apiKey)).rejects.toMatchObject({ code: "INVALID_API_KEY" });
  });

  it("refuses an unknown key with the same words as a revoked one", async () => {
    const { apiKey } = await makeTestCaller({ revokedAt: new Date() });
    const messages = await Promise.all(
      [apiKey, newApiKey()].map((key) => authenticateKey(key).catch((error: Error) => error.message)),
    );
    expect(messages[0]).toBe(messages[1]);
  });

  it.each([
    ["a wrong checksum", (key: string) => key.slice(0, -1) + (key.endsWith("0") ? "1" : "0")],
    ["a changed character", (key: string) => `bld_${key[4] === "a" ? "b" : "a"}${key.slice(5)}`],
    ["another prefix", (key: string) => `sk_${key.slice(4)}`],
    ["more behind it", (key: string) => `${key}0`],
    ["a line break", (key: string) => `${key}\n`],
    ["nothing", () => ""],
  ])("refuses a key with %s without asking the database", async (_what, change) => {
    const { apiKey } = await makeTestCaller();
    const query = vi.spyOn(logDb(), "query");
    await expect(authenticateKey(change(apiKey))).rejects.toMatchObject({ code: "INVALID_API_KEY" });
    expect(query).not.toHaveBeenCalled();
  });

  it("takes a token for a call that may be made, and none for one that may not", async () => {
    const { apiKey, keyId } = await makeTestCaller({ permissions: ["chat"], requestsPerMinute: 10 });
    await takeToken(keyId, 10);
    expect((await authenticateKey(apiKey, { permission: "chat" })).rateLimit).toMatchObject({
      limit: 10,
      remaining: 8,
    });
    expect((await authenticateKey(apiKey, { permission: "process" })).rateLimit).toBeNull();
    await db().query(
      "UPDATE projects SET api_enabled = false WHERE id = (SELECT project_id FROM api_keys WHERE id = $1)",
      [keyId],
    );
    expect((await authenticateKey(apiKey, { permission: "chat" })).rateLimit).toBeNull();
    expect(await readBucket(keyId, 10)).toMatchObject({ remaining: 8 });
  });

  it("gives calls that come at once a token each, whatever they need of the key, and no more than there are", async () => {
    const { apiKey, keyId } = await makeTestCaller({ permissions: ["chat", "process"], requestsPerMinute: 6 });
    await takeToken(keyId, 6);
    const calls = Array.from({ length: 9 }, (_, index) =>
      authenticateKey(apiKey, { permission: (["chat", "process", "templates"] as const)[index % 3] }),
    );
    const states = (await Promise.all(calls)).map(({ rateLimit }) => rateLimit);
    const taken = states.filter((state) => state !== null);
    expect(taken).toHaveLength(6);
    expect(taken.filter(({ isAllowed }) => isAllowed).map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0]);
    expect(taken.filter(({ isAllowed }) => !isAllowed)).toHaveLength(1);
  });

  it("keeps the last use with its address, once for many calls", async () => {
    const { apiKey, keyId } = await makeTestCaller();
    for (let call = 0; call < 5; call++) await authenticateKey(apiKey, { ip: `203.0.113.${call}` });
    await vi.waitFor(async () => {
      const { rows } = await db().query("SELECT last_used_at, last_used_ip FROM api_keys WHERE id = $1", [keyId]);
      expect(rows[0]).toEqual({ last_used_at: expect.any(Date), last_used_ip: "203.0.113.0" });
    });
  });

  it.each([
    ["203.0.113.7", true],
    ["203.0.113.8", false],
    ["198.51.100.255", true],
    ["198.51.101.0", false],
    ["2001:db8:1::7", true],
    ["2001:db9::7", false],
    [null, false],
  ])("says of a key with addresses of its own whether %s is one: %s", async (ip, isAllowed) => {
    const allowedNetworks = ["203.0.113.7", "198.51.100.0/24", "2001:db8::/32"];
    const { apiKey } = await makeTestCaller({ allowedNetworks });
    expect((await authenticateKey(apiKey, { ip })).isAddressAllowed).toBe(isAllowed);
  });

  it("takes no token for calls from elsewhere and notes no use, also beside calls that come from where they may", async () => {
    const { apiKey, keyId } = await makeTestCaller({ requestsPerMinute: 5, allowedNetworks: ["203.0.113.7"] });
    await takeToken(keyId, 5);
    const ips = ["198.51.100.1", "203.0.113.7", "198.51.100.1", "203.0.113.7", "198.51.100.2"];
    const found = await Promise.all(ips.map((ip) => authenticateKey(apiKey, { ip })));
    expect(found.map(({ isAddressAllowed }) => isAddressAllowed)).toEqual([false, true, false, true, false]);
    expect(found.map(({ rateLimit }) => rateLimit?.remaining)).toEqual([undefined, 3, undefined, 2, undefined]);
    await vi.waitFor(async () => {
      const { rows } = await db().query("SELECT last_used_ip FROM api_keys WHERE id = $1", [keyId]);
      expect(rows[0].last_used_ip).toBe("203.0.113.7");
    });
  });

  it("shows account and project as they are: it decides nothing itself", async () => {
    const { apiKey } = await makeTestCaller({ verificationStatus: "suspended", isApiEnabled: false });
    expect(await authenticateKey(apiKey)).toMatchObject({ verificationStatus: "suspended", isApiEnabled: false });
  });
});
