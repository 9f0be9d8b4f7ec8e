import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { panelAccount, signInContext, staffPerson } from "@/e2e/support/panel-browser";

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
