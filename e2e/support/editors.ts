import { expect, type Locator, type Page } from "playwright/test";

/** Waits for the editor itself, which comes late: a plain field stands there before. */
export async function untilEditor(page: Page): Promise<void> {
  await expect(page.locator(".cm-content")).toBeVisible();
}

/** Opens a page that has an editor, and waits for that. */
export async function gotoEditor(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilEditor(page);
}

/** Puts words in place of all that stands in an editor. */
export async function rewrite(editor: Locator, words: string): Promise<void> {
  const { keyboard } = editor.page();
  await editor.click();
  await keyboard.press("ControlOrMeta+a");
  await keyboard.insertText(words);
}
