import { expect } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { API_KEYS } from "@/e2e/support/panel-api-keys";
import { usePanelOwner } from "@/e2e/support/panel-owner";

usePanelOwner();

test.describe("Rows that are links", () => {
  test("lays a row's link over that row, from a box that every browser places by", async ({ page }) => {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(API_KEYS);
      const looks = await page.locator("[data-row-link]").evaluateAll((links) =>
        links.map((link) => {
          const [own, row] = [link, link.closest("tr") as Element].map((part) => part.getBoundingClientRect());
          const edges = (["left", "top", "right", "bottom"] as const).map(
            (edge) => (own?.[edge] ?? 0) - (row?.[edge] ?? 0),
          );
          const placedBy = (link as HTMLElement).offsetParent;
          return { placedBy: placedBy && getComputedStyle(placedBy).display, off: Math.max(...edges.map(Math.abs)) };
        }),
      );
      expect(looks.length).toBeGreaterThan(0);
      for (const { placedBy, off } of looks) {
        // Safari places nothing by a row: the link of the last one lay over the page.
        expect(placedBy).not.toBe("table-row");
        expect(off).toBeLessThanOrEqual(1);
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page
      .locator("[data-row-link]")
      .first()
      .click({ position: { x: 900, y: 20 } });
    await expect(page.locator("[data-side-panel]").getByRole("dialog")).toBeVisible();
  });
});
