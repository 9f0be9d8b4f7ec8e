import { expect, type Page } from "playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/support/browser-test";
import { saveScreenshot, type THEMES, type WIDTHS } from "@/e2e/support/screenshots";

const HEIGHTS = { 1280: 900, 390: 844 };

/**
 * What holds for every page of the panel, in both widths and both themes: no finding of axe, nothing to scroll sideways,
 * nothing that is placed by a row of a table, and on a phone no field that it would enlarge the page for. A theme changes
 * colours alone and a width everything else, so that each width is looked at in full in one theme, and for its colours
 * alone in the other. The page is open and has what it shall show.
 * @param name of the pictures: "api-keys", "api-keys-empty"
 */
export async function expectWellMade(page: Page, name: string): Promise<void> {
  // Colours that still change would be measured halfway.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expectWellMadeAt(page, name, 1280, "light", "everything");
  await expectWellMadeAt(page, name, 1280, "dark", "colours");
  await expectWellMadeAt(page, name, 390, "dark", "everything");
  await expectWellMadeAt(page, name, 390, "light", "colours");
  await page.setViewportSize({ width: 1280, height: HEIGHTS[1280] });
}

type Width = (typeof WIDTHS)[number];
type Theme = (typeof THEMES)[number];

/** One of those looks, for a page that is drawn anew for another width. */
export async function expectWellMadeAt(
  page: Page,
  name: string,
  width: Width,
  theme: Theme,
  what: "everything" | "colours",
): Promise<void> {
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: HEIGHTS[width] });
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
  await page.evaluate(settleTransitions);
  await expectAccessible(page, what);
  await saveScreenshot(page, name, width, theme);
  await expectNoSidewaysScroll(page);
  expect(await page.evaluate(placingRows), "parts of tables that Safari places nothing by").toEqual([]);
  if (width === 390)
    expect(await page.evaluate(smallFields), "fields that an iPhone enlarges the page for").toEqual([]);
}

/** Runs in the page. @returns the parts of tables that what lies in them is placed by: in Safari it is placed by the page */
function placingRows(): string[] {
  return [...document.querySelectorAll("thead, tbody, tfoot, tr")].flatMap((part) => {
    const { display, position } = getComputedStyle(part);
    return display.startsWith("table") && position === "relative" ? [part.outerHTML.slice(0, 200)] : [];
  });
}

/** Runs in the page. @returns the fields to write in whose text is smaller than 16 px */
function smallFields(): string[] {
  const fields = [...document.querySelectorAll("input, textarea, select, [contenteditable=true]")];
  return fields
    .filter((field) => !(field instanceof HTMLInputElement && /^(checkbox|radio|file|range|hidden)$/.test(field.type)))
    .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
    .map((field) => field.getAttribute("name") ?? field.getAttribute("aria-label") ?? field.outerHTML);
}

/** Runs in the page. What goes round for ever (a pulse) is not waited for. */
async function settleTransitions(): Promise<void> {
  const ends = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  await Promise.allSettled(ends.map((animation) => animation.finished));
}
