import { expect } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { rewrite } from "@/e2e/support/editors";
import { expectToast, loseAnswers } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { endSessions, panelAccount, signInAgain, signInContext } from "@/e2e/support/panel-browser";
import { open, row, TEMPLATES, text, useTemplateOwner } from "@/e2e/support/panel-templates";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { deleteTemplate } from "@/lib/services/templates/delete-template";
import { getTemplate } from "@/lib/services/templates/get-template";
import { updateTemplate } from "@/lib/services/templates/update-template";

const own = useTemplateOwner();

test.describe("Templates, as they are saved", () => {
  test("stays with the change when the session ends, and saves it once one is signed in again", async ({
    page,
    context,
  }) => {
    const person = await own.account.addPerson("owner");
    await signInContext(context, person);
    const { id } = await own.make();
    await open(page, id);
    await rewrite(text(page), "Sum up {{what}} in two lines.");
    await endSessions(person);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("alert").filter({ hasText: "You are signed out" })).toBeInViewport({ ratio: 1 });
    await signInAgain(page, person);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("You are signed out")).toHaveCount(0);
    await expect
      .poll(async () => (await getTemplate(own.account.principal, id)).promptTemplate)
      .toBe("Sum up {{what}} in two lines.");
  });

  test("keeps a change as a new version, and asks before an unsaved one is lost", async ({ page }) => {
    const { id } = await own.make();
    await open(page, id);
    await rewrite(text(page), "Shorter: {{what}}");
    await expect(page.getByText("Not saved yet")).toBeVisible();
    await page.getByRole("link", { name: "Versions" }).click();
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(text(page)).toHaveText("Shorter: {{what}}");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expectToast(page, "Saved as version 2");
    await expect(page.getByText("All saved")).toBeVisible();
    expect(await getTemplate(own.account.principal, id)).toMatchObject({
      version: 2,
      promptTemplate: "Shorter: {{what}}",
    });
    await page.getByRole("link", { name: "Versions" }).click();
    await expect(page).toHaveURL(/tab=versions/);
    await expect(row(page, "current")).toContainText("Shorter");
  });

  test("leaves with the change dropped when the reader says so", async ({ page }) => {
    const { id } = await own.make();
    await open(page, id);
    await rewrite(text(page), "To be dropped");
    await page.getByRole("link", { name: "Templates" }).last().click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
    await expect(page.getByRole("table", { name: "Templates" })).toBeVisible();
    expect((await getTemplate(own.account.principal, id)).version).toBe(1);
  });

  test("asks before another project or the end of the session takes an unsaved change away", async ({
    page,
    context,
  }) => {
    const own = await panelAccount();
    const name = "Second project";
    await prisma().project.create({
      data: { id: newId("project"), accountId: own.accountId, name, callbackSecretEncrypted: "x" },
    });
    await signInContext(context, await own.addPerson("owner"));
    await page.goto(`${TEMPLATES}/new`);
    await page.getByLabel("Name").fill("Half a thought");
    const switcher = page.getByRole("button", { name: /^Project/ });
    const choose = async () => {
      await switcher.click();
      await page.getByRole("dialog", { name: "Switch the project" }).getByRole("button", { name }).click();
    };
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await choose();
    await question.getByRole("button", { name: "Stay" }).click();
    await page.getByRole("button", { name: /^You: / }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(page.getByLabel("Name")).toHaveValue("Half a thought");
    await choose();
    await question.getByRole("button", { name: "Leave" }).click();
    await expect(switcher).toContainText(name);
    await expect(page).toHaveURL(TEMPLATES);
  });

  test("says that somebody else saved meanwhile, shows the difference, and saves over it only when told to", async ({
    page,
  }) => {
    const { id } = await own.make();
    await open(page, id);
    await rewrite(text(page), "Mine {{what}}");
    await updateTemplate(own.account.principal, id, { promptTemplate: "Theirs {{what}}" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: "Somebody else saved this template meanwhile" });
    const compared = question.getByRole("region", { name: "Text: theirs and yours" });
    await expect(compared.getByRole("row").filter({ hasText: "Theirs" }).getByRole("cell").first()).toHaveText("1");
    await expect(compared.getByRole("row").filter({ hasText: "Mine" }).getByRole("cell").nth(1)).toHaveText("1");
    expect((await getTemplate(own.account.principal, id)).promptTemplate).toBe("Theirs {{what}}");
    await question.getByRole("button", { name: "Save mine" }).click();
    await expectToast(page, "Saved as version 3");
    expect((await getTemplate(own.account.principal, id)).promptTemplate).toBe("Mine {{what}}");
  });

  test("keeps as a new one what was written to one that somebody deleted meanwhile", async ({ page }) => {
    const { id } = await own.make({ name: "Gone" });
    await open(page, id);
    await rewrite(text(page), "Mine {{what}}");
    await deleteTemplate(own.account.principal, id);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: "Somebody deleted this template meanwhile" });
    await expect(question).toBeVisible();
    await expectWellMade(page, "template-gone");
    await question.getByRole("button", { name: "Go on editing" }).click();
    await expect(text(page)).toHaveText("Mine {{what}}");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await question.getByRole("button", { name: "Create a new template" }).click();
    await expect(page).not.toHaveURL(`${TEMPLATES}/${id}`);
    await expect(page.getByText("All saved")).toBeVisible();
    const made = page.url().split("/").at(-1) ?? "";
    const kept = { name: "Gone", version: 1, promptTemplate: "Mine {{what}}", variables: { language: "English" } };
    expect(await getTemplate(own.account.principal, made)).toMatchObject(kept);
  });

  test("takes what somebody else saved", async ({ page }) => {
    const { id } = await own.make();
    await open(page, id);
    await rewrite(text(page), "Mine {{what}}");
    await updateTemplate(own.account.principal, id, { name: "Renamed", promptTemplate: "Theirs {{what}}" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Take theirs" }).click();
    await expect(text(page)).toHaveText("Theirs {{what}}");
    await expect(page.getByRole("textbox", { name: /^Name/ })).toHaveValue("Renamed");
    await expect(page.getByText("All saved")).toBeVisible();
  });

  test("says above the button on a phone that it was saved", async ({ page }) => {
    const { id } = await own.make();
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, id);
    await rewrite(text(page), "Sum up {{what}} in two lines.");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForFunction(() => {
      const toast = document.querySelector(".toast");
      const bar = document.querySelector("[data-form-bar]");
      return toast && bar && toast.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top;
    });
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("says of a save that was sent and got no answer that it is not known what became of it", async ({
    page,
    faults,
  }) => {
    const { id } = await own.make();
    await open(page, id);
    await rewrite(text(page), "Sent into the dark");
    await loseAnswers(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expectToast(page, "It is not known whether anything changed");
    // What the page asks for by itself meanwhile has come back too.
    await page.unrouteAll({ behavior: "wait" });
    // It was saved, by nobody else.
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expectToast(page, "Saved as version 2");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect((await getTemplate(own.account.principal, id)).version).toBe(2);
    // The browser itself reports what did not answer.
    faults.errors = faults.errors.filter((error) => !error.includes("ERR_FAILED"));
  });
});
