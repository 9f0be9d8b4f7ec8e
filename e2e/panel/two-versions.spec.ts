import { expect } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { panelAccount } from "@/e2e/support/panel-browser";

/** Two versions side by side behind a proxy that sends each call to any of them: one has no file of the other's pages. */

test("a page has its scripts and styles also where each was asked of a server of another version first", async ({
  page,
  faults,
}) => {
  const owner = await (await panelAccount()).addPerson("owner");
  const asked = new Set<string>();
  await page.route(/\/_next\/static\/.*\.(js|css)/, async (route) => {
    const address = route.request().url();
    if (asked.has(address)) return route.continue();
    asked.add(address);
    await route.fulfill({ status: 404, contentType: "text/plain", body: "Not Found" });
  });
  await page.goto("/panel/sign-in?next=/panel/usage");
  await expect(page.locator("body")).toHaveCSS("display", "flex");
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL("/panel/usage");
  faults.errors = faults.errors.filter((error) => !error.includes("404"));
});
