import type { Locator, Page } from "playwright/test";

/**
 * Has a file field take what lies at a path as a person's choice does: also a folder, as when one is dropped onto the
 * field, and the same file once more, of which browsers tell the page otherwise than of another one.
 */
export async function chooseByPath(page: Page, field: Locator, path: string): Promise<void> {
  await field.evaluate((element) => Object.assign(window, { chosenField: element }));
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send("Runtime.evaluate", { expression: "window.chosenField" });
  await session.send("DOM.setFileInputFiles", { objectId: result.objectId, files: [path] });
  await session.detach();
}
