import type { Page } from "playwright/test";

/** Pastes a text where the focus is, as people do: through the clipboard. */
export async function pasteText(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press("ControlOrMeta+v");
}
