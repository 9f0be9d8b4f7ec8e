import { expect } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { type PanelAccount, panelAccount, signInContext } from "@/e2e/support/panel-browser";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";

let account: PanelAccount;

test.beforeAll(async () => {
  account = await panelAccount();
  const { accountId, projectId } = account;
  await prisma().session.createMany({
    data: Array.from({ length: 120 }, (_, index) => {
      const createdAt = new Date(Date.now() - index * 60_000);
      const place = { id: newId("session"), accountId, projectId };
      return { ...place, kind: "chat", status: "completed", createdAt, lastActivityAt: createdAt };
    }),
  });
});

test.describe("a list in parts", () => {
  test("shows the next part from its start, and going back comes to where one was", async ({ page, context }) => {
    await signInContext(context, await account.addPerson("owner"));
    await page.goto("/panel/sessions");
    const pages = page.getByRole("navigation", { name: "Pages" });
    const first = page.getByRole("table").locator("tbody tr").first();
    await pages.getByRole("link", { name: "Next", exact: true }).scrollIntoViewIfNeeded();
    await expect(first).not.toBeInViewport();
    const before = await page.evaluate(() => window.scrollY);
    await pages.getByRole("link", { name: "Next", exact: true }).click();
    await expect(page).toHaveURL(/cursor=/);
    await expect(first).toBeInViewport();
    await page.goBack();
    await expect(page).toHaveURL("/panel/sessions");
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
  });

  test("stands where one was in it when it is loaded anew, or come back to from a page outside of the panel", async ({
    page,
    context,
  }) => {
    await signInContext(context, await account.addPerson("owner"));
    // Browsers look while a page loads; these rows come after that.
    await page.addInitScript(() => {
      history.scrollRestoration = "manual";
    });
    const rows = page.getByRole("table").locator("tbody tr");
    for (const comeBack of [() => page.reload(), () => page.goto("/docs").then(() => page.goBack())]) {
      await page.goto("/panel/sessions");
      await rows.nth(40).scrollIntoViewIfNeeded();
      const before = await page.evaluate(() => window.scrollY);
      expect(before).toBeGreaterThan(0);
      await comeBack();
      await expect(rows.first()).toBeAttached();
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
    }
    await page.goto("/docs");
    await page.goto("/panel/sessions");
    await expect(rows.first()).toBeInViewport();
  });
});
