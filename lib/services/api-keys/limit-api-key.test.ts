import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { createKeyInput, limitKeyInput } from "@/lib/contracts/api-keys";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { getApiKey } from "@/lib/services/api-keys/get-api-key";
import { limitApiKey } from "@/lib/services/api-keys/limit-api-key";
import { rotateApiKey } from "@/lib/services/api-keys/rotate-api-key";

useServiceDatabase();

const NETWORKS = ["203.0.113.0/24", "2001:db8::/32"];

let account: TestAccount;
let keyId: string;

beforeEach(async () => {
  account = await createTestAccount();
  const fields = { accountId: account.accountId, name: "Backend", permissions: ["chat"] as const };
  ({ keyId } = await createApiKey(OPERATOR, { ...fields, creditsPerMonth: 50, allowedNetworks: NETWORKS }));
});

const linesOf = (action: string, subject = keyId) =>
  prisma().auditEntry.findMany({ where: { action, subject }, select: { before: true, after: true } });

describe("from where a key may be used", () => {
  it("stands with the key and in the audit log from the start, and goes over to the one that takes over", async () => {
    expect(await getApiKey(account, keyId)).toMatchObject({ creditsPerMonth: 50, allowedNetworks: NETWORKS });
    expect(await linesOf("key.create")).toMatchObject([{ after: { allowedNetworks: NETWORKS } }]);
    const next = await rotateApiKey(OPERATOR, account, { keyId, overlapHours: 0 });
    expect(await getApiKey(account, next.keyId)).toMatchObject({ creditsPerMonth: 50, allowedNetworks: NETWORKS });
  });

  it("is changed by itself, as is the other limit: of two who change at once, none undoes the other's", async () => {
    await limitApiKey(OPERATOR, account, { keyId, allowedNetworks: [] });
    await limitApiKey(OPERATOR, account, { keyId, creditsPerMonth: null });
    expect(await getApiKey(account, keyId)).toMatchObject({ creditsPerMonth: null, allowedNetworks: [] });
    expect(await linesOf("key.limit")).toEqual([
      { before: { allowedNetworks: NETWORKS }, after: { allowedNetworks: [] } },
      { before: { creditsPerMonth: 50 }, after: { creditsPerMonth: null } },
    ]);
  });

  it("is not set over what somebody else saved meanwhile: a network that they took away would come back unseen", async () => {
    const began = { creditsPerMonth: 50, allowedNetworks: NETWORKS };
    await limitApiKey(OPERATOR, account, { keyId, began, allowedNetworks: ["203.0.113.0/24"] });
    const stale = limitApiKey(OPERATOR, account, { keyId, began, allowedNetworks: [...NETWORKS, "198.51.100.7"] });
    await expect(stale).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      param: "allowedNetworks",
      message: expect.stringContaining("to 203.0.113.0/24."),
    });
    await limitApiKey(OPERATOR, account, { keyId, began, creditsPerMonth: null });
    await expect(limitApiKey(OPERATOR, account, { keyId, began, creditsPerMonth: 90 })).rejects.toMatchObject({
      param: "creditsPerMonth",
      message: expect.stringContaining("to no limit."),
    });
    const stands = { creditsPerMonth: null, allowedNetworks: ["203.0.113.0/24"] };
    expect(await getApiKey(account, keyId)).toMatchObject(stands);
    // The same once more, as after an answer that was lost.
    await limitApiKey(OPERATOR, account, { keyId, began, ...stands });
    expect(await linesOf("key.limit")).toHaveLength(2);
  });

  it("leaves no line of what is as it was", async () => {
    await limitApiKey(OPERATOR, account, { keyId, creditsPerMonth: 50, allowedNetworks: NETWORKS });
    await limitApiKey(OPERATOR, account, { keyId });
    expect(await linesOf("key.limit")).toEqual([]);
  });

  it("is not changed from another account", async () => {
    const other = await createTestAccount();
    await expect(limitApiKey(OPERATOR, other, { keyId, allowedNetworks: [] })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect((await getApiKey(account, keyId)).allowedNetworks).toEqual(NETWORKS);
  });
});

describe("what is taken for an address or a network", () => {
  const made = { name: "Backend", permissions: ["chat"], expiresInDays: null };

  it("is kept once, in one form", () => {
    const allowedNetworks = ["203.0.113.7/24", "203.0.113.0/24", "2001:DB8::/32"];
    expect(createKeyInput.parse({ ...made, allowedNetworks }).allowedNetworks).toEqual(NETWORKS);
    expect(createKeyInput.parse(made).allowedNetworks).toEqual([]);
  });

  it("is named where it is neither, cut, or where there are too many", () => {
    const began = { creditsPerMonth: null, allowedNetworks: [] };
    const wrong = (allowedNetworks: string[]) =>
      limitKeyInput.safeParse({ keyId, began, allowedNetworks }).error?.issues;
    expect(wrong(["203.0.113.7", "office", "x"])).toMatchObject([
      { path: ["allowedNetworks"], message: "“office” is neither an address nor a network such as 203.0.113.0/24" },
    ]);
    expect(wrong(["9".repeat(500)])?.[0]?.message.length).toBeLessThan(130);
    const many = Array.from({ length: 51 }, (_, index) => `203.0.113.${index}`);
    expect(wrong(many)).toMatchObject([{ message: "must be at most 50 addresses and networks" }]);
    expect(wrong(many.slice(1))).toBeUndefined();
  });
});
