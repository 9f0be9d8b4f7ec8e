import type { Page } from "playwright/test";

/** Pastes a text where the focus is, as people do: through the clipboard. */
export async function pasteText(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press("ControlOrMeta+v");
}

/**
 * Pastes a picture where the focus is, as one does that was taken of the screen.
 * @param words what the clipboard has beside it, as of a spreadsheet's cell
 */
export async function pastePicture(page: Page, words?: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(async (beside) => {
    const picture = await new OffscreenCanvas(1, 1).getContext("2d")?.canvas.convertToBlob({ type: "image/png" });
    const text = beside === undefined ? undefined : { "text/plain": beside };
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture ?? "", ...text })]);
  }, words);
  await page.keyboard.press("ControlOrMeta+v");
}
