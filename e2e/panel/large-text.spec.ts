import { expect, type Locator, type Page } from "playwright/test";
import { expectNoSidewaysScroll, test } from "@/e2e/support/browser-test";
import { addressOf, filledAccount } from "@/e2e/support/filled-account";
import { panelAccount, signInContext, staffPerson } from "@/e2e/support/panel-browser";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { requestAccountExport } from "@/lib/services/data-rights/account-exports";

/** Text of twice its size in a window that stays as it is (WCAG 1.4.4): what can be pressed can still be seen whole. */

async function enlargeText(page: Page): Promise<void> {
  await page.addStyleTag({ content: "html { font-size: 200% !important }" });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
}

/** Runs in the page. The buttons of tables that their cells cut off. */
function findCut(): string[] {
  const cut = [...document.querySelectorAll("td button")].filter((button) => {
    const cell = button.closest("td")?.getBoundingClientRect();
    return cell && cell.width > 0 && button.getBoundingClientRect().right > cell.right + 1;
  });
  return cut.map((button) => button.getAttribute("aria-label") ?? button.textContent ?? "");
}

/** Runs in the page. The links of the navigation whose words reach over their own line. */
function findTooTall(): string[] {
  const links = [...document.querySelectorAll("aside a, nav a")].filter((link) => link.getClientRects().length > 0);
  return links.filter((link) => link.scrollHeight > link.clientHeight + 1).map((link) => link.textContent ?? "");
}

for (const path of ["/panel/settings/team", "/staff/accounts", "/staff/accounts/:accountId"]) {
  test(`${path} cuts no button off when its text is twice as large`, async ({ page, context }) => {
    const account = await panelAccount();
    const owner = await account.addPerson("owner");
    await signInContext(context, path.startsWith("/staff") ? await staffPerson() : owner);
    await page.goto(path.replace(":accountId", account.accountId));
    await expect(page.locator("td button").first()).toBeVisible();
    await enlargeText(page);
    expect(await page.evaluate(findCut)).toEqual([]);
    expect(await page.evaluate(findTooTall)).toEqual([]);
  });
}

const OWNERS_PAGES = [
  "/panel",
  "/panel/api-b2b/webhooks/[id]",
  "/panel/knowledge",
  "/panel/playground",
  "/panel/sessions/[id]",
  "/panel/settings/company",
  "/panel/templates/[id]",
];

test("no page scrolls sideways on a phone whose reader has set text twice as large", async ({ page, context }) => {
  const account = await filledAccount("Donaudampfschifffahrtsgesellschaft");
  const owner = await account.addPerson("owner");
  await page.setViewportSize({ width: 390, height: 844 });
  const browser = await context.newCDPSession(page);
  await browser.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
  for (const path of [...OWNERS_PAGES, "/staff/accounts/[accountId]"]) {
    if (path === "/panel") await signInContext(context, owner);
    if (path.startsWith("/staff")) await signInContext(context, await staffPerson());
    await page.goto(addressOf(account, path));
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe("32px");
    await expectNoSidewaysScroll(page);
  }
  await page.getByRole("button", { name: /^You: / }).click();
  await expect(page.getByRole("dialog", { name: "You" })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await browser.send("Page.setFontSizes", { fontSizes: { standard: 16, fixed: 13 } });
  await browser.detach();
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("a receipt's id stays in its frame on the narrowest phone", async ({ page, context }) => {
  const account = await panelAccount();
  await requestAccountExport(OPERATOR, account.accountId);
  await signInContext(context, await account.addPerson("owner"));
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/panel/settings/company");
  const receipt = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("button", { name: "Copy the receipt's id" }) });
  const copy = receipt.getByRole("button", { name: "Copy the receipt's id" });
  const right = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().right);
  expect(await right(copy)).toBeLessThanOrEqual(await right(receipt));
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("a new key and a question's buttons are reached whole at a zoom of 400 % (WCAG 1.4.10)", async ({
  page,
  context,
}) => {
  const account = await panelAccount();
  await signInContext(context, await account.addPerson("owner"));
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto("/panel/api-b2b/api-keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Backend");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const secret = dialog.locator("code", { hasText: /^bld_/ }).first();
  const frame = secret.locator("xpath=ancestor::div[2]");
  await expect(secret).toBeVisible();
  expect(await frame.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1);
  await dialog.getByRole("button", { name: "I have kept it" }).click();

  await page.getByRole("row").filter({ hasText: "Backend" }).getByRole("link").click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question.getByRole("textbox")).toBeFocused();
  await expect(question.getByRole("textbox")).toBeInViewport({ ratio: 0.99 });
  await question.getByRole("textbox").fill("Backend");
  await expect(question.getByRole("button", { name: "Revoke key" })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 900 });
});
