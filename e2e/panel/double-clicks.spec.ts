import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { signInContext, signInNewOwner, staffPerson } from "@/e2e/support/panel-browser";

/** Many people click twice on everything: what the first click opened lies under the second one. */

test("a question that a double click opened stays, and a click beside it closes it", async ({ page, context }) => {
  await signInNewOwner(context);
  for (const [path, button] of [
    ["/panel/api-b2b/api-keys", "Create key"],
    ["/panel/api-b2b/webhooks", "Add webhook"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("button", { name: button }).first().dblclick();
    await expect(page.getByRole("dialog").getByRole("textbox").first()).toBeFocused();
    await page.mouse.click(5, 5);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});

test("staff open a question about an account with a double click", async ({ page, context }) => {
  const { account } = await signInNewOwner(context);
  await signInContext(context, await staffPerson());
  await page.goto(`/staff/accounts/${account.accountId}`);
  await page.getByRole("button", { name: "Grant" }).dblclick();
  await expect(page.getByRole("alertdialog").getByLabel("Credits")).toBeFocused();
});

test("a row's detail that a double click opened stays, and a click beside it closes it", async ({ page, context }) => {
  await signInNewOwner(context);
  await page.goto("/panel/api-b2b/api-keys");
  const detail = page.getByRole("dialog", { name: "Test" });
  const row = await centre(page, "[data-row-link]");
  await page.mouse.click(row.x, row.y);
  await expect(detail).toBeVisible();
  await secondClick(page, row);
  await expect(detail).toBeVisible();
  await expect(page).toHaveURL(/\?key=/);
  await page.mouse.click(row.x, row.y);
  await expect(detail).toHaveCount(0);
});

test("a double click on the navigation's button opens it, and leads nowhere", async ({ page, context }) => {
  await signInNewOwner(context);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/panel/api-b2b/api-keys");
  const button = await centre(page, '[aria-label="Open the navigation"]');
  await page.mouse.click(button.x, button.y);
  const navigation = page.getByRole("dialog", { name: "Navigation" });
  await expect(navigation).toBeVisible();
  await secondClick(page, button);
  await expect(navigation).toBeVisible();
  await expect(page).toHaveURL(/\/api-keys$/);
  await navigation.getByRole("link", { name: "Logs" }).click();
  await expect(page).toHaveURL(/\/logs$/);
  await page.setViewportSize({ width: 1280, height: 900 });
});

interface Point {
  x: number;
  y: number;
}

async function centre(page: Page, selector: string): Promise<Point> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`Nothing is shown of ${selector}.`);
  return { x: box.x + Math.min(box.width / 2, 40), y: box.y + box.height / 2 };
}

/** Once the first click has had its effect: how soon that is, is the machine's matter. */
async function secondClick(page: Page, { x, y }: Point): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
}
