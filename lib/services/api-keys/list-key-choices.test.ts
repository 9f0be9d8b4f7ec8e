import { beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addPlaygroundKey, addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { listKeyChoices } from "@/lib/services/api-keys/list-key-choices";

let account: TestAccount;
let second: TestAccount;
let oldest: string;
let playground: string;

useServiceDatabase();

beforeAll(async () => {
  account = await createTestAccount();
  second = await addTestProject(account, "Of another project");
  const make = async (name: string, isEnded = false) => {
    const { keyId } = await createApiKey(OPERATOR, { ...account, name, permissions: ["chat"] });
    if (isEnded) await prisma().apiKey.update({ where: { id: keyId }, data: { revokedAt: new Date() } });
    return keyId;
  };
  oldest = await make("Oldest", true);
  await make("Ended", true);
  await make("Shop");
  for (let count = 0; count < 3; count += 1) playground = await addPlaygroundKey(account);
});

const names = async (...request: [chosenId?: string, most?: number]) =>
  (await listKeyChoices(account, ...request)).keys.map(({ name }) => name);

describe("the keys that a filter offers", () => {
  it("are those in use first, then the newest of the others, of this project alone and without the playground's", async () => {
    const { keys, hasPlayground, hasMore } = await listKeyChoices(account);
    expect(keys.map(({ name, isUsable }) => [name, isUsable])).toEqual([
      ["Shop", true],
      [expect.any(String), true],
      ["Ended", false],
      ["Oldest", false],
    ]);
    expect({ hasPlayground, hasMore }).toEqual({ hasPlayground: true, hasMore: false });
    const theirs = await listKeyChoices(second);
    expect([theirs.keys.length, theirs.hasPlayground]).toEqual([1, false]);
  });

  it("say when there are more, and have the chosen one wherever it stands, but none of another project", async () => {
    const { keys, hasMore } = await listKeyChoices(account, undefined, 3);
    expect([keys.length, hasMore]).toEqual([3, true]);
    expect(await names(oldest, 3)).toEqual(["Shop", expect.any(String), "Ended", "Oldest"]);
    expect(await names(playground, 1)).toEqual(["Shop", "Playground"]);
    for (const none of ["playground", "", "key_\0"]) expect(await names(none, 1)).toEqual(["Shop"]);
    const [theirs] = (await listKeyChoices(second)).keys;
    expect(await names(theirs?.id, 1)).toEqual(["Shop"]);
  });
});
