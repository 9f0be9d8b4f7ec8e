import type { Page } from "playwright/test";

const FOLDER = "test-results/screenshots";

/** The widths that every page is designed for, in CSS pixels. */
export const WIDTHS = [1280, 390] as const;
export const THEMES = ["light", "dark"] as const;

/** Keeps the whole page as `<name>-<width>-<theme>.png` for people to look at. */
export async function saveScreenshot(page: Page, name: string, width: number, theme: string) {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${FOLDER}/${name}-${width}-${theme}.png`, fullPage: true, animations: "disabled" });
}
