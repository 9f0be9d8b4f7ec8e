import { beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { createTemplate } from "@/lib/services/templates/create-template";
import { listTemplateChoices } from "@/lib/services/templates/list-template-choices";

let account: TestAccount;
let oldest: string;
let theirs: string;

useServiceDatabase();

beforeAll(async () => {
  account = await createTestAccount();
  const second = await addTestProject(account, "Of another project");
  const make = async (of: TestAccount, name: string) => (await createTemplate(of, { name, promptTemplate: "x" })).id;
  oldest = await make(account, "Oldest");
  await make(account, "Older");
  await make(account, "Newest");
  theirs = await make(second, "Theirs");
});

const names = async (...request: [chosenId?: string, most?: number]) =>
  (await listTemplateChoices(account, ...request)).templates.map(({ name }) => name);

describe("the templates that a filter offers", () => {
  it("are the newest of this project, and it is said when there are more", async () => {
    expect(await names()).toEqual(["Newest", "Older", "Oldest"]);
    expect((await listTemplateChoices(account, undefined, 3)).hasMore).toBe(false);
    expect(await listTemplateChoices(account, undefined, 2)).toMatchObject({
      templates: [{ name: "Newest" }, { name: "Older" }],
      hasMore: true,
    });
  });

  it("have the chosen one wherever it stands, once, but none of another project", async () => {
    expect(await names(oldest, 1)).toEqual(["Newest", "Oldest"]);
    expect(await names(oldest, 3)).toEqual(["Newest", "Older", "Oldest"]);
    for (const none of [theirs, "", "tpl_\0", "x"]) expect(await names(none, 1)).toEqual(["Newest"]);
  });
});
