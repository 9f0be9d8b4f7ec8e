import type { Page } from "playwright/test";

const FOLDER = "test-results/screenshots";

/** The widths that every page is designed for, in CSS pixels. */
export const WIDTHS = [1280, 390] as const;
export const THEMES = ["light", "dark"] as const;

/** Whether somebody wants to look at the pages of this run. */
const SCREENSHOTS_WANTED = Boolean(process.env.PLAYWRIGHT_SCREENSHOTS);

/**
 * Keeps the whole page as `<name>-<width>-<theme>.png` for people to look at, in runs with `PLAYWRIGHT_SCREENSHOTS=1`: they
 * take about as long as all that is tested.
 */
export async function saveScreenshot(page: Page, name: string, width: number, theme: string) {
  if (!SCREENSHOTS_WANTED) return;
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${FOLDER}/${name}-${width}-${theme}.png`, fullPage: true, animations: "disabled" });
}
