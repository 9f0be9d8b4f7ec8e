import { expect, type Page } from "playwright/test";
import { expectAccessible, serviceUrl, test } from "@/e2e/support/browser-test";
import { expectWellMade, expectWellMadeAt } from "@/e2e/support/page-look";
import { newCaller } from "@/e2e/support/suite";

const PATH = "/docs/reference";

test.describe("index of the API reference", () => {
  test("has every endpoint of the document with its fields, without any script", async ({ browser, request }) => {
    const { paths } = (await (await request.get("/openapi.json")).json()) as { paths: Record<string, object> };
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(new URL(PATH, serviceUrl()).href);
    const text = await page.getByRole("main").textContent();
    for (const path of Object.keys(paths)) expect(text).toContain(path);
    const chat = page.getByRole("listitem").filter({ has: page.locator('a[href="#tag/chat/POST/chat"]') });
    await chat.getByText("Fields and answers").click();
    await expect(chat.getByRole("term").filter({ hasText: "sessionId" })).toBeVisible();
    await context.close();
  });

  test("leads to each endpoint in full, by keyboard too, and says where the reader is", async ({ page }) => {
    await page.goto(PATH);
    const link = page.getByRole("link", { name: "POST /api/v1/chat", exact: true });
    await link.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: /Test Request.*post \/chat\)/i })).toBeInViewport();
    await expect(page).toHaveURL(/#tag\/chat\/POST\/chat$/);
  });

  test("has addresses that the reference knows", async ({ page }) => {
    await page.goto(PATH);
    const links = page.getByRole("main").getByRole("listitem").getByRole("link");
    const anchors = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).hash.slice(1)));
    await openReference(page);
    const groupOf = (anchor: string) => anchor.split("/")[1];
    const ofEachGroup = anchors.filter((anchor, index) => groupOf(anchor) !== groupOf(anchors[index - 1] ?? ""));
    expect(ofEachGroup).toHaveLength(7);
    for (const anchor of ofEachGroup) {
      await page.evaluate((hash) => location.replace(`#${hash}`), anchor);
      await expect(page.locator(`[id$="/${anchor}"]`).first()).toBeInViewport();
    }
  });

  test("is well made", async ({ page }) => {
    await page.goto(PATH);
    await page.getByText("Fields and answers").first().click();
    await expectWellMade(page, "docs-reference-index");
  });
});

/** The fixture fails each of these tests when the page logs an error or asks another origin for anything. */
test.describe("API reference", () => {
  test("is well made", async ({ page }) => {
    await openReference(page);
    await expectWellMadeAt(page, "docs-reference", 1280, "light", "everything");
    await expectWellMadeAt(page, "docs-reference", 1280, "dark", "colours");
    await page.setViewportSize({ width: 390, height: 844 });
    await openReference(page);
    await expectWellMadeAt(page, "docs-reference", 390, "dark", "everything");
    await expectWellMadeAt(page, "docs-reference", 390, "light", "colours");
  });

  test("shows the live document: every path of it", async ({ page, request }) => {
    const { paths } = await (await request.get("/openapi.json")).json();
    await openReference(page);
    const summaries = Object.values(paths).flatMap((item) =>
      Object.values(item as Record<string, { summary?: string }>).flatMap(({ summary }) => summary ?? []),
    );
    expect(summaries.length).toBeGreaterThan(20);
    const sidebar = page.getByRole("complementary", { name: /sidebar/i });
    for (const name of ["Process", "Chat", "Hybrid send", "Templates", "Account", "Webhooks", "Service"]) {
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
    const key = page.getByRole("textbox", { name: "Value" }).first();
    await expect(key).toHaveAttribute("placeholder", "bld_…");
    await key.fill(account.apiKey);
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

  test("loads its code when it is opened, and neither its index nor another page does", async ({ page }) => {
    const scripts = async () => {
      await page.waitForLoadState("networkidle");
      return page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .filter(({ name }) => /\.(js|css)(\?|$)/.test(name))
          .reduce((bytes, entry) => bytes + (entry as PerformanceResourceTiming).decodedBodySize, 0),
      );
    };
    await page.goto("/docs/streaming");
    const guide = await scripts();
    await page.goto(PATH);
    const index = await scripts();
    await page.getByRole("link", { name: "Open the console" }).click();
    await expectReference(page);
    const reference = await scripts();
    expect(index - guide).toBeLessThan(50_000);
    expect(reference - guide).toBeGreaterThan(1_000_000);
  });
});

async function openReference(page: Page) {
  // A new document also where the last one was at the same address.
  await page.goto("about:blank");
  await page.goto(`${PATH}#description/introduction`);
  await expectReference(page);
}

async function expectReference(page: Page) {
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("AI Processing Service");
  await expect(page.getByText("/process/batch").first()).toBeAttached();
}
