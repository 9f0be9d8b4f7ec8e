import type { Page } from "playwright/test";

/** Makes the page's actions send a field more than they know, as a page of another version would: they are refused. */
export async function sendUnknownField(page: Page, path: string): Promise<void> {
  await page.route(`**${path}*`, (route) => {
    const request = route.request();
    const postData = request.postData()?.replace(/\}\]$/, ',"unheardOf":1}]');
    return request.method() === "POST" ? route.continue({ postData }) : route.continue();
  });
}
