import type { Locator, Page } from "playwright/test";

/** Drops files that lie at those paths into the middle of a place, as from the window of a file manager. */
export async function dropFiles(page: Page, place: Locator, files: string[]): Promise<void> {
  await place.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const session = await page.context().newCDPSession(page);
  const event = { x: x + width / 2, y: y + height / 2, data: { items: [], files, dragOperationsMask: 1 } };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, ...event });
  }
  await session.detach();
}
