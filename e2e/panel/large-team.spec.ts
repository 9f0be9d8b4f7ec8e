import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { teamOf } from "@/e2e/support/large-team";
import { expectToast } from "@/e2e/support/live-pages";
import { signedInPage } from "@/e2e/support/panel-browser";

const PAGE = "/panel/settings/team";

const fieldOf = (page: Page) => page.getByRole("textbox", { name: "Find a member" });
const rowsOf = (page: Page) => page.getByRole("table", { name: "Members" }).locator("tbody tr");
const sectionsOf = (page: Page) => page.getByRole("heading", { level: 2 });

test.describe("a large team", () => {
  test("is looked through by name or address, and who is found is removed", async ({ browser }) => {
    const { page, context } = await signedInPage(browser, { account: await teamOf(20) });
    await page.goto(PAGE);
    await expect(rowsOf(page)).toHaveCount(21);
    await expect(sectionsOf(page)).toHaveText(["Invite somebody", "Members", "Roles"]);
    await fieldOf(page).fill(" COLLEAGUE-12-");
    await expect(rowsOf(page)).toHaveCount(1);
    await expect(rowsOf(page)).toContainText("Colleague 12");
    await fieldOf(page).fill("zoë");
    await expect(page.getByText("1 of 21 members", { exact: true })).toBeVisible();
    const email = (await rowsOf(page).locator("[title*='@']").textContent()) ?? "";
    await rowsOf(page).getByRole("button", { name: "Remove" }).click();
    await page.getByRole("alertdialog").getByRole("textbox").fill(email);
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await expectToast(page, "Removed from the team.");
    await expect(page.getByText("Nobody has this in their name or e-mail.")).toBeVisible();
    await fieldOf(page).fill("");
    await expect(rowsOf(page)).toHaveCount(20);
    await context.close();
  });

  test("of more than fifty shows the others to whoever asks for them, and goes on there", async ({ browser }) => {
    const { page, context } = await signedInPage(browser, { account: await teamOf(60) });
    await page.goto(PAGE);
    await expect(rowsOf(page)).toHaveCount(50);
    await fieldOf(page).fill("zoë");
    await expect(rowsOf(page)).toHaveCount(1);
    await expect(rowsOf(page)).toContainText("Zoë Example");
    await fieldOf(page).fill("");
    await page.getByRole("button", { name: "Show all 61 members" }).press("Enter");
    await expect(rowsOf(page)).toHaveCount(61);
    await expect(rowsOf(page).nth(50)).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(rowsOf(page).nth(50).getByRole("button").first()).toBeFocused();
    await context.close();
  });

  test("has no such field as long as all are seen at a glance", async ({ browser }) => {
    const { page, context } = await signedInPage(browser, { account: await teamOf(19) });
    await page.goto(PAGE);
    await expect(rowsOf(page)).toHaveCount(20);
    await expect(fieldOf(page)).toHaveCount(0);
    await expect(sectionsOf(page)).toHaveText(["Members", "Invite somebody", "Roles"]);
    await context.close();
  });
});
