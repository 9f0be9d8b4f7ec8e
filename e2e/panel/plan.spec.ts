import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import {
  type PanelAccount,
  panelAccount,
  signInContext,
  staffPage,
  type TestPerson,
} from "@/e2e/support/panel-browser";
import { prisma } from "@/lib/db/prisma";
import { addCredits } from "@/lib/services/accounts/add-credits";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { setPlan } from "@/lib/services/accounts/set-plan";
import { askForMore } from "@/lib/services/requests/ask-for-more";

const PAGE = "/panel/settings/plan";

let account: PanelAccount;
let owner: TestPerson;

test.beforeEach(async ({ context }) => {
  account = await panelAccount({ credits: 40, planId: "starter" });
  await prisma().account.update({ where: { id: account.accountId }, data: { companyName: "Blue Freight Ltd" } });
  owner = await account.addPerson("owner");
  await signInContext(context, owner);
});

const requests = (page: Page) => page.getByRole("list", { name: "Requests" }).getByRole("listitem");
const dialog = (page: Page) => page.getByRole("alertdialog");
const ask = (credits: number, note = "") =>
  askForMore({ kind: "owner", userId: owner.userId }, account.accountId, { kind: "credits", credits, note });

test.describe("plan and credits", () => {
  test("show what the account may use, and what it was given", async ({ page }) => {
    await addCredits(OPERATOR, { accountId: account.accountId, amount: 500, reason: "Order 112" });
    await page.goto(PAGE);
    await expect(page.getByRole("heading", { name: "Starter plan" })).toBeVisible();
    await expect(page.getByText("0 of 2,000,000 tokens")).toBeVisible();
    const grants = page.getByRole("table", { name: "Credits given and taken" });
    await expect(grants.getByRole("row").nth(1)).toContainText("+500");
    await expect(grants.getByRole("row").nth(1)).toContainText("540");
    await expect(grants.getByRole("row").nth(1)).toContainText("Order 112");
    await expect(grants.getByRole("row").nth(2)).toContainText("+40");
  });

  test("ask for credits, which stand there until they are granted", async ({ page }) => {
    await page.goto(PAGE);
    await expect(page.getByText("Nothing was asked for yet.")).toBeVisible();
    await page.getByRole("button", { name: "Ask for credits" }).click();
    await expect(dialog(page).getByLabel("Credits")).toBeFocused();
    await dialog(page).getByLabel("Credits").fill("1.000");
    await dialog(page).getByRole("button", { name: "Ask for the credits" }).click();
    await expect(dialog(page).getByText("Must be a whole number.")).toBeVisible();
    await dialog(page).getByLabel("Credits").fill("500");
    await dialog(page).getByLabel("Note").fill("Order 113");
    await expectWellMade(page, "plan-ask-credits");
    await dialog(page).getByRole("button", { name: "Ask for the credits" }).click();
    await expectToast(page, "Asked for. You see the answer here.");
    await expect(requests(page)).toHaveCount(1);
    await expect(requests(page)).toContainText("500 credits");
    await expect(requests(page)).toContainText("Order 113");
    await expect(page.getByRole("button", { name: "Ask for credits" })).toHaveCount(0);
    await expectWellMade(page, "plan");
    await addCredits(OPERATOR, { accountId: account.accountId, amount: 500, reason: "Paid" });
    await page.reload();
    await expect(requests(page)).toContainText("granted");
    await expect(page.getByRole("button", { name: "Ask for credits" })).toBeVisible();
  });

  test("promise no calls of another plan to an account that keeps a limit of its own", async ({ page }) => {
    await setPlan(OPERATOR, { accountId: account.accountId, planId: "starter", rateLimitPerMinute: 5 });
    await page.goto(PAGE);
    await expect(page.getByText("5 calls per key and minute")).toBeVisible();
    await page.getByRole("button", { name: "Ask for another plan" }).click();
    await dialog(page).getByRole("button", { name: /Plan/ }).first().click();
    await expect(page.getByRole("option", { name: "Growth: 20,000,000 tokens a month", exact: true })).toBeVisible();
    await expect(page.getByRole("option", { name: /calls/ })).toHaveCount(0);
  });

  test("ask for another plan, and take it back", async ({ page }) => {
    await page.goto(PAGE);
    await page.getByRole("button", { name: "Ask for another plan" }).click();
    await dialog(page).getByRole("button", { name: /Plan/ }).first().click();
    await expect(page.getByRole("option")).toHaveCount(3);
    await page.getByRole("option", { name: /^Scale: 6,000 calls per key and minute, no limit of tokens/ }).click();
    await expectWellMade(page, "plan-ask-plan");
    await dialog(page).getByRole("button", { name: "Ask for the plan" }).click();
    await expect(requests(page)).toContainText("Scale plan");
    await page.getByRole("button", { name: "Take back: Scale plan" }).click();
    await expectToast(page, "Taken back");
    await expect(requests(page)).toContainText("taken back");
    await setPlan(OPERATOR, { accountId: account.accountId, planId: "scale" });
    await page.reload();
    await expect(requests(page)).toContainText("taken back");
    await expect(page.getByText("0 tokens, no limit")).toBeVisible();
  });

  test("are asked for once where an admin was quicker in another tab", async ({ page }) => {
    await page.goto(PAGE);
    await page.getByRole("button", { name: "Ask for credits" }).click();
    await ask(7);
    await dialog(page).getByLabel("Credits").fill("500");
    await dialog(page).getByRole("button", { name: "Ask for the credits" }).click();
    await expect(page.getByText("One is open already. Take it back to ask for something else.").last()).toBeVisible();
    await page.reload();
    await expect(requests(page)).toHaveCount(1);
    await expect(requests(page)).toContainText("7 credits");
  });

  test("are seen by members, who are told who can ask", async ({ page, context }) => {
    await addCredits(OPERATOR, { accountId: account.accountId, amount: 5, reason: "Told on the phone" });
    await ask(500, "Order 113");
    await signInContext(context, await account.addPerson("member"));
    await page.goto(PAGE);
    await expect(requests(page)).toContainText("500 credits");
    await expect(page.getByText("Owners and admins can ask for more credits")).toBeVisible();
    await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
    await expect(page.getByRole("table", { name: "Credits given and taken" })).toContainText("+5");
    await expect(page.getByText("Told on the phone")).toHaveCount(0);
  });
});

test.describe("what companies ask for, for staff", () => {
  test("stands where they begin and at the company, and is declined with a reason that the company reads", async ({
    page,
    browser,
  }) => {
    await ask(500, "Order 113");
    // The oldest stand first, and those of other tests are open, too.
    await prisma().accountRequest.updateMany({
      where: { accountId: account.accountId },
      data: { createdAt: new Date(0) },
    });
    const { page: staff, context } = await staffPage(browser);
    await staff.goto("/staff/verifications");
    await expect(staff.getByRole("heading", { name: "Companies ask for more" })).toBeVisible();
    const company = staff.locator(`a[href="/staff/accounts/${account.accountId}"]`);
    await expect(requests(staff).filter({ has: company })).toContainText("Order 113");
    await expectWellMade(staff, "staff-requests");
    await staff.goto(`/staff/accounts/${account.accountId}`);
    await expect(requests(staff)).toContainText("500 credits");
    await expectWellMade(staff, "staff-account-request");
    await staff.getByRole("button", { name: "Decline: 500 credits for Blue Freight Ltd" }).click();
    await dialog(staff).getByLabel("Reason").fill("Order 112 is not paid yet.");
    await dialog(staff).getByRole("button", { name: "Decline the request" }).click();
    await expect(requests(staff)).toContainText("declined");
    await context.close();
    await page.goto(PAGE);
    await expect(requests(page)).toContainText("Order 112 is not paid yet.");
    await expect(page.getByRole("button", { name: "Ask for credits" })).toBeVisible();
  });

  test("is answered by the credits that they grant", async ({ browser }) => {
    await ask(500);
    const { page: staff, context } = await staffPage(browser);
    await staff.goto(`/staff/accounts/${account.accountId}`);
    await staff.getByRole("button", { name: "Grant", exact: true }).click();
    await expect(dialog(staff).getByLabel("Credits"), "as it was asked for").toHaveValue("500");
    await expectWellMade(staff, "staff-grant-asked");
    await dialog(staff).getByLabel("Reason").fill("Order 113 is paid");
    await dialog(staff).getByRole("button", { name: "Grant credits" }).click();
    await expect(requests(staff)).toContainText("granted");
    await expect(staff.getByRole("button", { name: /^Decline/ })).toHaveCount(0);
    await context.close();
  });
});
