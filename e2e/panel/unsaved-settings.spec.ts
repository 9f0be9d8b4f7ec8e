import { expect } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { PROJECT, save, section } from "@/e2e/support/panel-settings";
import { prisma } from "@/lib/db/prisma";

usePanelOwner();

const stored = (projectId: string) => prisma().project.findUniqueOrThrow({ where: { id: projectId } });

test.describe("the project's settings", () => {
  test("ask before a system prompt that is not saved is lost", async ({ page }) => {
    await page.goto(PROJECT);
    await page.getByRole("textbox", { name: "System prompt" }).fill("A long thought\n");
    const leave = () => page.getByRole("link", { name: "Team", exact: true }).click();
    await leave();
    await page
      .getByRole("alertdialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Stay" })
      .click();
    await save(page, "Answers");
    await expectToast(page, "Saved. It holds from the next call on.");
    await leave();
    await expect(page).toHaveURL(/\/team$/);
  });

  test("undo nothing that another tab saved meanwhile unseen, such as a switch that is off", async ({
    page,
    context,
  }) => {
    const own = await panelAccount();
    await signInContext(context, await own.addPerson("owner"));
    const other = await context.newPage();
    await Promise.all([page, other].map((tab) => tab.goto(PROJECT)));
    await other.getByRole("switch", { name: /API on/ }).uncheck({ force: true });
    await save(other, "API and memory");
    await expectToast(other, "Saved. It holds from the next call on.");
    await page.getByRole("switch", { name: /Remember end users/ }).check({ force: true });
    await save(page, "API and memory");
    const question = page.getByRole("alertdialog", { name: "Somebody else saved this project meanwhile" });
    await expect(question).toContainText("API on");
    expect(await stored(own.projectId)).toMatchObject({ apiEnabled: false, apiMemoryPerUser: false });
    await question.getByRole("button", { name: "Take theirs" }).click();
    await expect(page.getByRole("switch", { name: /API on/ })).not.toBeChecked();

    // Another form of the page, which nobody else has saved.
    await page.getByRole("textbox", { name: "System prompt" }).fill("Mine");
    await prisma().project.update({ where: { id: own.projectId }, data: { systemPrompt: "Theirs" } });
    await save(page, "Answers");
    await expect(question).toContainText("Theirs");
    expect((await stored(own.projectId)).systemPrompt).toBe("Theirs");
    await expectWellMade(page, "project-conflict");
    await question.getByRole("button", { name: "Save mine" }).click();
    await expectToast(page, "Saved. It holds from the next call on.");
    expect((await stored(own.projectId)).systemPrompt).toBe("Mine");
    await expect(question).toHaveCount(0);
  });

  test("ask once before what two forms hold is lost", async ({ page }) => {
    await page.goto(PROJECT);
    await section(page, "Name").getByRole("textbox").fill("Half a name");
    await page.getByLabel("Sessions, days").fill("30");
    await page.getByRole("link", { name: "Team", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await expect(question).toHaveCount(1);
    await question.getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL(/\/team$/);
    await page.getByLabel("E-mail").fill("half@an.address");
    await page.getByRole("link", { name: "Company", exact: true }).click();
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(page.getByLabel("E-mail")).toHaveValue("half@an.address");
  });

  test("lead on by themselves once what was being saved as one left is saved, unless another form would be lost", async ({
    page,
  }) => {
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    /** Saves the name, and leaves while that is under way; gives what lets it be saved. */
    const leaveWhileSaving = async (name: string) => {
      const held = Promise.withResolvers<void>();
      await page.route("**/panel/settings/project", async (route) => {
        if (route.request().postData()?.includes(name)) await held.promise;
        await route.continue();
      });
      await section(page, "Name").getByRole("textbox").fill(name);
      const isSent = page.waitForRequest((request) => request.postData()?.includes(name) ?? false);
      await save(page, "Name");
      await isSent;
      await page.getByRole("link", { name: "Team", exact: true }).click();
      await expect(question).toContainText("not saved yet");
      return held.resolve;
    };
    await page.goto(PROJECT);
    (await leaveWhileSaving("Left at once"))();
    await expect(page).toHaveURL(/\/team$/);
    await expect(question).toHaveCount(0);
    await page.unrouteAll({ behavior: "wait" });

    await page.goto(PROJECT);
    await page.getByLabel("Sessions, days").fill("30");
    (await leaveWhileSaving("Left at once too"))();
    await expectToast(page, "Saved");
    await expect(question).toHaveCount(1);
    await expect(page).toHaveURL(/\/project$/);
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(page.getByLabel("Sessions, days")).toHaveValue("30");
    await page.unrouteAll({ behavior: "wait" });
  });
});
