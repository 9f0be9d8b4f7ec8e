import { expect } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { API_KEYS, accountStatus, row, shownKey } from "@/e2e/support/panel-api-keys";
import { KNOWLEDGE, useKnowledgeOwner } from "@/e2e/support/panel-knowledge";
import { translatePage, WAYS } from "@/e2e/support/translator";

useKnowledgeOwner();

const markdown = (name: string) => ({ name, mimeType: "text/markdown", buffer: Buffer.from(`# ${name}`) });

test.describe("a page that the browser translates", () => {
  // What is translated before React has taken that part of the page over it draws anew, and says so.
  test.afterEach(({ faults }) => {
    faults.errors = faults.errors.filter((error) => !error.includes("React error #418"));
  });

  for (const way of WAYS) {
    test(`shows a new key whole, and goes on behind it, with translations that come ${way}`, async ({ page }) => {
      await translatePage(page, way);
      await page.goto(API_KEYS);
      await page.getByRole("button", { name: "‹Create key›" }).first().click();
      const dialog = page.getByRole("dialog", { name: "Create an API key" });
      await dialog.getByLabel("Name").fill(`Key ${way}`);
      await dialog.getByRole("button", { name: "Create key" }).click();
      expect(await accountStatus(await shownKey(page, "Your new API key"))).toBe(200);
      await page.getByRole("button", { name: "I have kept it" }).click();
      await row(page, `Key ${way}`).getByRole("link").click();
      await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
      await page.getByRole("button", { name: "Make the new key" }).click();
      expect(await accountStatus(await shownKey(page, "The key that takes over"))).toBe(200);
      await page.getByRole("button", { name: "I have kept it" }).click();
      await expect(row(page, `Key ${way}`)).toHaveCount(2);
    });

    test(`says in the reader's words what has changed, with translations that come ${way}`, async ({ page }) => {
      await translatePage(page, way);
      await page.goto(KNOWLEDGE);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^‹.*›$/);
      const files = ["eins", "zwei", "drei"].map((name) => `${name} ${way}.md`);
      await page.getByLabel("Knowledge files").first().setInputFiles(files.map(markdown));
      const dialog = page.getByRole("dialog", { name: "Upload files" });
      for (const file of files) {
        await expect(dialog.getByRole("listitem").filter({ hasText: file })).toHaveText(`‹${file}›‹added›`);
      }
      await dialog.getByRole("button", { name: "Close" }).last().click();
      await expect(page.getByRole("link", { name: `eins ${way}.md` })).toBeVisible();
    });
  }

  test("has its code, ids and keys as they are", async ({ page }) => {
    await translatePage(page);
    for (const path of ["/docs", "/docs/errors", "/panel/playground", API_KEYS]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toContainText("‹");
      const exact = page.locator("code, pre, .font-mono");
      await expect(exact.first()).toBeAttached();
      await expect(exact.filter({ hasText: "‹" }), path).toHaveCount(0);
    }
  });
});
