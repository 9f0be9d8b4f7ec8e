import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { makeTestCaller, type TestCallerOptions } from "@/e2e/support/test-caller";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { closePools, db, hotDb } from "@/lib/db/pool";
import { newApiKey } from "@/lib/domain/api-key";
import { authenticateKey } from "@/lib/services/api-keys/authenticate-key";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  process.env.DATABASE_URL = database.url;
});

afterAll(async () => {
  await closePools();
  await database.drop();
});

afterEach(() => vi.restoreAllMocks());

describe("authenticateKey", () => {
  it("says whose key it is, what it may do and how often", async () => {
    const caller = await makeTestCaller({ permissions: ["chat"], planId: "growth" });
    expect(await authenticateKey(caller.apiKey, null)).toEqual({
      principal: {
        accountId: caller.accountId,
        projectId: caller.projectId,
        apiKeyId: caller.keyId,
        permissions: ["chat"],
        planId: "growth",
        model: null,
      },
      verificationStatus: "verified",
      isApiEnabled: true,
      requestsPerMinute: 1_200,
    });
  });

  it("lets an account's own limit go before its plan's", async () => {
    const { apiKey } = await makeTestCaller({ planId: "growth", requestsPerMinute: 7 });
    expect((await authenticateKey(apiKey, null)).requestsPerMinute).toBe(7);
  });

  it.each<[string, TestCallerOptions]>([
    ["revoked", { revokedAt: new Date(Date.now() - 1_000) }],
    ["expired", { expiresAt: new Date(Date.now() - 1_000) }],
  ])("refuses a key that is %s", async (_what, options) => {
    const { apiKey } = await makeTestCaller(options);
    await expect(authenticateKey(apiKey, null)).rejects.toMatchObject({ code: "INVALID_API_KEY" });
  });

  it("takes a key that expires later", async () => {
    const { apiKey } = await makeTestCaller({ expiresAt: new Date(Date.now() + 60_000) });
    await expect(authenticateKey(apiKey, null)).resolves.toBeDefined();
  });

  it("refuses a key from the moment it is revoked", async () => {
    const { apiKey, keyId } = await makeTestCaller();
    await authenticateKey(apiKey, null);
    await db().query("UPDATE api_keys SET revoked_at = now() WHERE id = $1", [keyId]);
    await expect(authenticateKey(apiKey, null)).rejects.toMatchObject({ code: "INVALID_API_KEY" });
  });

  it("refuses an unknown key with the same words as a revoked one", async () => {
    const { apiKey } = await makeTestCaller({ revokedAt: new Date() });
    const messages = await Promise.all(
      [apiKey, newApiKey()].map((key) => authenticateKey(key, null).catch((error: Error) => error.message)),
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
    const query = vi.spyOn(hotDb(), "query");
    await expect(authenticateKey(change(apiKey), null)).rejects.toMatchObject({ code: "INVALID_API_KEY" });
    expect(query).not.toHaveBeenCalled();
  });

  it("keeps the last use with its address, once for many calls", async () => {
    const { apiKey, keyId } = await makeTestCaller();
    for (let call = 0; call < 5; call++) await authenticateKey(apiKey, `203.0.113.${call}`);
    await vi.waitFor(async () => {
      const { rows } = await db().query("SELECT last_used_at, last_used_ip FROM api_keys WHERE id = $1", [keyId]);
      expect(rows[0]).toEqual({ last_used_at: expect.any(Date), last_used_ip: "203.0.113.0" });
    });
  });

  it("shows account and project as they are: it decides nothing itself", async () => {
    const { apiKey } = await makeTestCaller({ verificationStatus: "suspended", isApiEnabled: false });
    expect(await authenticateKey(apiKey, null)).toMatchObject({ verificationStatus: "suspended", isApiEnabled: false });
  });
});
