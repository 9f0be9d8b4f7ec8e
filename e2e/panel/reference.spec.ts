import { expect, type Page } from "playwright/test";
import { expectAccessible, test } from "@/e2e/support/browser-test";
import { expectWellMadeAt } from "@/e2e/support/page-look";
import { newCaller } from "@/e2e/support/suite";

/** The fixture fails each of these tests when the page logs an error or asks another origin for anything. */
test.describe("API reference", () => {
  test("is well made", async ({ page }) => {
    await openReference(page);
    await expectWellMadeAt(page, "docs-reference", 1280, "light", "everything");
    await expectWellMadeAt(page, "docs-reference", 1280, "dark", "colours");
    await page.setViewportSize({ width: 390, height: 844 });
    await openReference(page);
    await expectWellMadeAt(page, "docs-reference", 390, "dark", "everything");
  });

  test("shows the live document: every path of it", async ({ page, request }) => {
    const { paths } = await (await request.get("/openapi.json")).json();
    await openReference(page);
    const summaries = Object.values(paths).flatMap((item) =>
      Object.values(item as Record<string, { summary?: string }>).flatMap(({ summary }) => summary ?? []),
    );
    expect(summaries.length).toBeGreaterThan(20);
    const sidebar = page.getByRole("complementary", { name: /sidebar/i });
    for (const name of ["Chat", "Hybrid send", "Templates", "Account", "Webhooks", "Service"]) {
      await sidebar.getByRole("button", { name: `Open Group - ${name}` }).click();
    }
    for (const summary of summaries) await expect(sidebar.getByText(summary, { exact: true })).toBeAttached();
  });

  test("follows the reader's theme without being drawn anew", async ({ page }) => {
    await page.emulateMedia({ colorScheme: "light" });
    await openReference(page);
    const background = () =>
      page.locator(".references-rendered").evaluate((el) => getComputedStyle(el).backgroundColor);
    const light = await background();
    await page.getByRole("radio", { name: "Dark theme" }).click();
    await expect(page.locator("body")).toHaveClass(/dark-mode/);
    expect(await background()).not.toBe(light);
    await expectAccessible(page);
  });

  test("sends a real call from its console, with the reader's key and nothing unasked", async ({ page }) => {
    const { account } = await newCaller();
    await openReference(page);
    await page.getByRole("textbox", { name: "Value" }).first().fill(account.apiKey);
    await page.goto("/docs/reference#tag/chat/POST/chat");
    const opens = page.getByRole("button", { name: /Test Request.*post \/chat\)/i });
    await opens.click();
    await expect(page.locator("[data-addressbar-action=send]:visible")).toBeVisible();
    await expectAccessible(page);
    const sending = page.waitForRequest((request) => request.method() === "POST" && request.url().includes("/chat"));
    await page.locator("[data-addressbar-action=send]:visible").click();
    const request = await sending;
    expect(new URL(request.url()).search).toBe("");
    expect(request.headers()["idempotency-key"]).toBeUndefined();
    expect(request.headers()["x-api-key"]).toBe(account.apiKey);
    expect((await request.response())?.status()).toBe(202);
    await expect(page.getByText("ses_").first()).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(opens).toBeFocused();
  });

  test("loads its code on its own page alone", async ({ page }) => {
    const scripts = async (path: string) => {
      await page.goto(path, { waitUntil: "networkidle" });
      return page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .filter(({ name }) => /\.(js|css)(\?|$)/.test(name))
          .reduce((bytes, entry) => bytes + (entry as PerformanceResourceTiming).decodedBodySize, 0),
      );
    };
    const guide = await scripts("/docs/streaming");
    const reference = await scripts("/docs/reference");
    expect(reference - guide).toBeGreaterThan(1_000_000);
  });
});

async function openReference(page: Page) {
  await page.goto("/docs/reference");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("AI Processing Service");
  await expect(page.getByText("/process/batch").first()).toBeAttached();
}
