import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestAccount } from "@/e2e/support/test-account";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { useTestSettings } from "@/e2e/support/test-settings";
import { closePools } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { createTemplate } from "@/lib/services/templates/create-template";
import { nameTemplates } from "@/lib/services/templates/name-templates";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  useTestSettings(database.url);
});

afterAll(async () => {
  await closePools();
  await database.drop();
});

describe("nameTemplates", () => {
  it("names the project's own templates, and leaves out what is missing or another's", async () => {
    const [account, other] = await Promise.all([createTestAccount(), createTestAccount()]);
    const mine = await createTemplate(account, { name: "Mine", promptTemplate: "x" });
    const theirs = await createTemplate(other, { name: "Theirs", promptTemplate: "x" });
    const names = await nameTemplates(account, [mine.id, theirs.id, null, newId("template"), mine.id]);
    expect([...names]).toEqual([[mine.id, "Mine"]]);
    expect([...(await nameTemplates(account, [null]))]).toEqual([]);
  });
});
