import { expect, type Page } from "playwright/test";
import { DOCS_GROUPS } from "@/components/docs/docs-links";
import { test } from "@/e2e/support/browser-test";
import { expectWellMade } from "@/e2e/support/page-look";
import { ERROR_CODES } from "@/lib/domain/errors";
import { TURN_ERROR_CODES } from "@/lib/domain/turn-errors";

const PHONE = { width: 390, height: 844 };
const PAGES = DOCS_GROUPS.flatMap(({ links }) => links).filter(({ href }) => href !== "/openapi.json");

test.describe("every document", () => {
  for (const { href, name } of PAGES) {
    test(`${href} is well made and says where the reader is`, async ({ page }) => {
      await page.goto(href);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page).toHaveTitle(/ · AI Processing Service$/);
      const current = page.getByRole("navigation", { name: "Documents", exact: true }).locator("[aria-current=page]");
      await expect(current).toHaveText([name]);
      await expectWellMade(page, href.slice(1).replaceAll("/", "-"));
    });
  }

  test("has no dead link and no dead anchor", async ({ browser, baseURL, request }) => {
    const targets = new Set<string>();
    // All links are in what the server sends.
    const context = await browser.newContext({ baseURL, javaScriptEnabled: false });
    const page = await context.newPage();
    for (const { href } of PAGES) {
      await page.goto(href);
      const links = await page.locator("a[href]").evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));
      for (const link of links) if (!link.startsWith("mailto:")) targets.add(link);
    }
    await context.close();
    expect(targets.size).toBeGreaterThan(PAGES.length);
    for (const target of targets) {
      const response = await request.get(target);
      expect(response.status(), target).toBe(200);
      const { hash } = new URL(target);
      if (hash) expect(await response.text(), target).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
    }
  });
});

test.describe("keyboard", () => {
  test("skips the navigation", async ({ page }) => {
    await page.goto("/docs/streaming");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("main").locator(":focus")).toHaveText("Follow an answer");
  });

  test("opens the folded navigation of a phone and goes on to another document", async ({ page }) => {
    await page.setViewportSize(PHONE);
    await page.goto("/docs/streaming");
    const folded = page.getByRole("navigation", { name: "Documents, folded" });
    await expect(folded.getByRole("link", { name: "Webhooks" })).toBeHidden();
    await folded.locator("summary").focus();
    await page.keyboard.press("Enter");
    await folded.getByRole("link", { name: "Webhooks" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Webhooks");
    await expect(folded.getByRole("link", { name: "Webhooks" })).toBeHidden();
  });

  test("changes the language of one snippet with arrow keys and leaves the others", async ({ page }) => {
    await page.goto("/docs/webhooks");
    const tabs = page.getByRole("tab", { name: "TypeScript" });
    await expect(tabs).toHaveCount(2);
    const python = page.getByRole("tab", { name: "Python" }).first();
    // Keys that come before the page is alive move nothing.
    await expect(async () => {
      await tabs.first().press("ArrowRight");
      expect(await python.getAttribute("aria-selected")).toBe("true");
    }).toPass();
    await expect(tabs.last()).toHaveAttribute("aria-selected", "true");
  });
});

test.describe("list of errors", () => {
  test("has an entry for every code of the API and of background work", async ({ page }) => {
    await page.goto("/docs/errors");
    for (const code of Object.keys(ERROR_CODES)) await expectEntry(page, code, code);
    for (const code of TURN_ERROR_CODES) await expectEntry(page, `turn-${code}`, code);
  });

  test("is where an error's docUrl leads", async ({ page, request }) => {
    const { error } = await (await request.get("/api/v1/account")).json();
    await page.goto(error.docUrl);
    await expect(page.locator(`[id="${error.code}"]`)).toBeInViewport();
  });
});

async function expectEntry(page: Page, id: string, code: string) {
  await expect(page.locator(`[id="${id}"]`).getByRole("heading")).toHaveText(code);
}

test("every public page leads to the documents", async ({ page }) => {
  for (const path of ["/", "/docs", "/docs/errors"]) {
    await page.goto(path);
    await expect(page.getByRole("banner").getByRole("link", { name: "Docs" })).toHaveAttribute("href", "/docs");
    await expect(page.getByRole("contentinfo").getByRole("link", { name: "Docs" })).toHaveAttribute("href", "/docs");
  }
});

test("a document on paper shows its text and nothing to press", async ({ page }) => {
  await page.goto("/docs/errors");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const part of ["banner", "contentinfo"] as const) {
    await expect(page.getByRole(part)).toBeVisible();
    for (const name of ["Sign in", "Sign up", "Docs"]) {
      await expect(page.getByRole(part).getByRole("link", { name })).toBeHidden();
    }
    await expect(page.getByRole(part).getByRole("radio")).toHaveCount(0);
  }
});
