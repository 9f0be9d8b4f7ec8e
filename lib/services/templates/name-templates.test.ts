import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { newId } from "@/lib/domain/ids";
import { createTemplate } from "@/lib/services/templates/create-template";
import { nameTemplates } from "@/lib/services/templates/name-templates";

useServiceDatabase();

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
