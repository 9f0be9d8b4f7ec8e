import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { expectToast } from "@/e2e/support/live-pages";
import { type PanelAccount, panelAccount, plantSession, signInContext } from "@/e2e/support/panel-browser";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { createTemplate } from "@/lib/services/templates/create-template";

const PROJECT = "/panel/settings/project";
const OTHER_NAME = "Second project";
const ELSEWHERE = "Another project was chosen in another tab";

let account: PanelAccount;
let otherId: string;

test.beforeEach(async ({ context }) => {
  account = await panelAccount();
  otherId = newId("project");
  await prisma().project.create({
    data: { id: otherId, accountId: account.accountId, name: OTHER_NAME, callbackSecretEncrypted: "x" },
  });
  await signInContext(context, await account.addPerson("owner"));
});

const switcher = (page: Page) => page.getByRole("button", { name: /^Project/ });
const promptOf = async (id: string) => (await prisma().project.findUniqueOrThrow({ where: { id } })).systemPrompt;
const save = (page: Page) =>
  page.getByRole("region", { name: "Answers", exact: true }).getByRole("button", { name: "Save" }).click();

async function choose(page: Page, name: string): Promise<void> {
  await page.goto("/panel/usage");
  await switcher(page).click();
  await page.getByRole("dialog", { name: "Switch the project" }).getByRole("button", { name }).click();
  await expect(switcher(page)).toContainText(name);
}

/** As when somebody comes back to the tab. */
const comeBack = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event("focus")));

test.describe("a page beside a tab where another project is chosen", () => {
  test("saves nothing into the other project, and saves once its own is chosen again", async ({ page, context }) => {
    const name = (await prisma().project.findUniqueOrThrow({ where: { id: account.projectId } })).name;
    await page.goto(PROJECT);
    await page.getByRole("textbox", { name: "System prompt" }).fill("For the first project alone.");
    const tab = await context.newPage();
    await choose(tab, OTHER_NAME);
    await save(page);
    await expect(page.getByRole("alert").filter({ hasText: "another project was chosen" })).toBeVisible();
    expect([await promptOf(otherId), await promptOf(account.projectId)]).toEqual([null, null]);
    await choose(tab, name);
    await save(page);
    await expectToast(page, "Saved. It holds from the next call on.");
    expect(await promptOf(account.projectId)).toBe("For the first project alone.");
  });

  test("says so when the reader comes back, keeps what is typed, and shows the chosen one with the next page", async ({
    page,
    context,
  }) => {
    await page.goto(PROJECT);
    await page.getByRole("textbox", { name: "System prompt" }).fill("Half a thought");
    await choose(await context.newPage(), OTHER_NAME);
    await comeBack(page);
    await expect(page.getByRole("alertdialog").getByText(ELSEWHERE)).toBeVisible();
    await expect(page.getByRole("textbox", { name: "System prompt" })).toHaveValue("Half a thought");
    await page.getByRole("navigation", { name: "Panel" }).getByRole("link", { name: "Templates" }).click();
    await page
      .getByRole("alertdialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Leave" })
      .click();
    await expect(page).toHaveURL("/panel/templates");
    await expect(switcher(page)).toContainText(OTHER_NAME);
    await expect(page.getByRole("alertdialog").getByText(ELSEWHERE)).toBeHidden();
  });

  test("works for nobody else who signs in there", async ({ page, context }) => {
    const other = await panelAccount();
    await page.goto(PROJECT);
    await page.getByRole("textbox", { name: "System prompt" }).fill("Ours");
    await plantSession(context, await other.addPerson("owner"));
    await comeBack(page);
    await expectToast(page, "Somebody else is signed in now");
    await save(page);
    await expect(page.getByRole("alert").filter({ hasText: "somebody else is signed in now" })).toBeVisible();
    expect([await promptOf(other.projectId), await promptOf(account.projectId)]).toEqual([null, null]);
  });
});

test.describe("a page whose reader is taken off the team", () => {
  test("says so when they come back, keeps what is typed, and says it no more once it is left", async ({
    page,
    context,
  }) => {
    const person = await account.addPerson("admin");
    await signInContext(context, person);
    await page.goto(PROJECT);
    const prompt = page.getByRole("textbox", { name: "System prompt" });
    await prompt.fill("Half a thought");
    await prisma().member.deleteMany({ where: { userId: person.userId } });
    await comeBack(page);
    const words = page.getByRole("alertdialog").getByText("You were taken off this team");
    await expect(words).toBeVisible();
    await expect(prompt).toHaveValue("Half a thought");
    await page.getByRole("navigation", { name: "Panel" }).getByRole("link", { name: "Templates" }).click();
    await page
      .getByRole("alertdialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Leave" })
      .click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("No account to show");
    await expect(words).toHaveCount(0);
  });
});

test.describe("a page beside a tab where what it shows is taken away", () => {
  test("shows so once it was told that nothing is there any more", async ({ page }) => {
    const other = await account.addPerson("member");
    await page.goto("/panel/settings/team");
    const row = page.getByRole("row", { name: other.email });
    await row.getByRole("button", { name: "Remove" }).click();
    const question = page.getByRole("alertdialog", { name: "Remove this person?" });
    await question.getByRole("textbox").fill(other.email);
    await prisma().member.deleteMany({ where: { userId: other.userId } });
    await question.getByRole("button", { name: "Remove" }).click();
    await expectToast(page, "The member was not found.");
    await expect(row).toHaveCount(0);

    const { id } = await createTemplate(account.principal, { name: "Letter", promptTemplate: "Write" });
    await page.goto(`/panel/templates/${id}`);
    await page.getByRole("button", { name: "Delete" }).click();
    const deletion = page.getByRole("alertdialog", { name: "Delete this template?" });
    await deletion.getByRole("textbox").fill("Letter");
    await prisma().template.delete({ where: { id } });
    await deletion.getByRole("button", { name: "Delete template" }).click();
    await expectToast(page, "The template was not found.");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
  });
});

test.describe("a page that was opened before the service was updated", () => {
  /** As the page of another build: it calls actions by names that this one does not know. */
  const becomeOld = (page: Page) =>
    page.route("**/panel/**", (route) => {
      const headers = route.request().headers();
      return route.continue({
        headers: headers["next-action"] ? { ...headers, "next-action": "7f".repeat(21) } : headers,
      });
    });
  const updated = "Nothing was changed: the service has been updated since this page was opened.";

  test("says in its form that nothing was saved and what helps, and keeps what is typed", async ({ page, faults }) => {
    await page.goto(PROJECT);
    await becomeOld(page);
    const prompt = page.getByRole("textbox", { name: "System prompt" });
    await prompt.fill("Half a thought");
    await save(page);
    await expect(page.getByRole("alert").filter({ hasText: updated })).toContainText("reload this page");
    await expect(prompt).toHaveValue("Half a thought");
    forgetRefusals(faults);
  });

  test("says so where nobody is signed in yet", async ({ page, context, faults }) => {
    await context.clearCookies();
    await page.goto("/panel/sign-up");
    await becomeOld(page);
    await page.getByLabel("Company").fill("Somebody");
    await page.getByLabel("E-mail").fill("somebody@example.test");
    await page.getByLabel("Password").fill("a quiet walk by the sea");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByText(updated)).toBeVisible();
    forgetRefusals(faults);
  });

  /** The browser itself reports each call that is refused. */
  function forgetRefusals(faults: { errors: string[] }) {
    faults.errors = faults.errors.filter((error) => !error.includes("409"));
  }
});
