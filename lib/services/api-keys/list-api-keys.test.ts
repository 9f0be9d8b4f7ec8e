import { beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { apiKeyHint } from "@/lib/domain/api-key";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { listApiKeys } from "@/lib/services/api-keys/list-api-keys";

let account: TestAccount;
let second: TestAccount;
let keys: Record<"shop" | "shopTest" | "revoked", { keyId: string; apiKey: string }>;

useServiceDatabase();

beforeAll(async () => {
  account = await createTestAccount();
  second = await addTestProject(account, "Shop of another project");
  const make = (name: string) => createApiKey(OPERATOR, { ...account, name, permissions: ["chat"] });
  keys = { shop: await make("Shop, 100%"), shopTest: await make("shop_test"), revoked: await make("Old shop") };
  await prisma().apiKey.update({ where: { id: keys.revoked.keyId }, data: { revokedAt: new Date() } });
});

const found = async (search: string, isUsable = false) => {
  const { data, pagination } = await listApiKeys(account, { limit: 100, offset: 0, isUsable, search });
  expect(pagination.total).toBe(data.length);
  return data.map(({ name }) => name);
};

describe("a search among API keys", () => {
  it("goes by any part of the name, in capitals or not, of this project alone, newest first", async () => {
    expect(await found("SHOP")).toEqual(["Old shop", "shop_test", "Shop, 100%"]);
    expect(await found("shop", true), "in use").toEqual(["shop_test", "Shop, 100%"]);
    expect(await found("another")).toEqual([]);
  });

  it("takes signs of patterns for what they are", async () => {
    expect(await found("100%")).toEqual(["Shop, 100%"]);
    expect(await found("p_t")).toEqual(["shop_test"]);
    expect(await found("%")).toEqual(["Shop, 100%"]);
    expect(await found("\\")).toEqual([]);
  });

  it("goes by the id, whole", async () => {
    expect(await found(keys.shop.keyId)).toEqual(["Shop, 100%"]);
    expect(await found(keys.shop.keyId.slice(0, -1))).toEqual([]);
    expect(await found(second.principal.apiKeyId)).toEqual([]);
  });

  it("goes by the end of the key, as lists show it or with what it hides", async () => {
    const hint = apiKeyHint(keys.shopTest.apiKey);
    for (const text of [hint, `…${hint}`, `bld_…${hint}`, `shop_test …${hint}`, keys.shopTest.apiKey]) {
      expect(await found(text), text).toEqual(["shop_test"]);
    }
    expect(await found(`…${apiKeyHint(second.apiKey)}`)).toEqual([]);
  });
});
