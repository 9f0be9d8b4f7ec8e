import { randomUUID } from "node:crypto";
import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { API_KEYS } from "@/e2e/support/panel-api-keys";
import { pathOf, turn, useSessionOwner } from "@/e2e/support/panel-sessions";
import { releaseModel } from "@/e2e/support/suite";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createProject } from "@/lib/services/projects/create-project";

const { own, start } = useSessionOwner();

/** Where words are heard that have no place of their own. */
/** What was said of the page that a link led to. */
const pageName = (page: Page) => page.locator('[data-live-announcer="pages"]');
const spoken = (page: Page) => page.locator('[data-live-announcer=""]');

test.describe("what screen readers read out", () => {
  test("says what is wrong with a field that has the focus already, where no focus comes to it", async ({ page }) => {
    await page.goto(API_KEYS);
    await page.getByRole("button", { name: "Create key" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create an API key" });
    await expect(dialog.getByLabel("Name")).toBeFocused();
    await expect(spoken(page)).toHaveText("");
    await page.keyboard.press("Enter");
    const problem = await dialog.getByLabel("Name").evaluate((input: HTMLInputElement) => input.validationMessage);
    expect(problem).not.toBe("");
    await expect(spoken(page)).toHaveText(problem);
    expect(await spoken(page).evaluate((place) => place.closest("[inert], [aria-hidden=true]"))).toBeNull();
  });

  test("reads a word of warning with the button that a new key's focus stands on", async ({ page }) => {
    await page.goto(API_KEYS);
    await page.getByRole("button", { name: "Create key" }).first().click();
    await page.keyboard.insertText("Heard");
    await page.keyboard.press("Enter");
    const copy = page.getByRole("button", { name: "Copy the API key" });
    await expect(copy).toBeFocused();
    await expect(copy).toHaveAccessibleDescription(/This is the only time that the key is shown/);
  });

  test("says what a toast says, once, from a place that was there before it", async ({ page }) => {
    await page.goto("/panel/playground");
    await page.getByRole("button", { name: "Make a key for one hour" }).click();
    await expect(page.getByRole("alertdialog", { name: "Key made for one hour" })).toBeVisible();
    await expect(spoken(page)).toHaveText("Key made for one hour");
    await expect(page.getByRole("alert").filter({ hasText: "Key made for one hour" })).toHaveCount(0);
  });

  test("reads what comes of a question with its title", async ({ page }) => {
    await page.goto(API_KEYS);
    await page.getByRole("table").getByRole("link").first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: /^Revoke the key/ });
    await expect(question).toHaveAccessibleDescription(/is refused, everywhere. This cannot be undone/);
  });

  test("has the place for an answer's words before a call is sent", async ({ page }) => {
    await page.goto("/panel/playground");
    const heard = page.getByRole("region", { name: "Answer" }).locator("> [aria-live]");
    await expect(heard).toHaveText(["", ""]);
    await heard.evaluateAll((places) => {
      for (const place of places) place.setAttribute("data-from-before", "");
    });
    await page.getByLabel("API key").fill(own.account.apiKey);
    await page.getByRole("textbox", { name: "message", exact: true }).fill("To be heard");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(heard).toHaveText([/^Status 202, \d+ ms$/, "Done"]);
    await expect(page.locator("[data-from-before]")).toHaveCount(2);
  });

  test("says that a running answer is over once the kept one stands in its place", async ({ page }) => {
    const hold = randomUUID();
    await page.goto(pathOf(await start(`To be followed [[hold:${hold}]]`)));
    const words = turn(page, 1).getByRole("status");
    await expect(words).toHaveText("Writing");
    // Of what is busy nothing is read out.
    expect(await words.evaluate((place) => place.closest("[aria-busy=true]"))).toBeNull();
    await releaseModel(hold);
    await expect(spoken(page)).toHaveText("Done");
  });

  test("says what a filter has made of a list", async ({ page }) => {
    await start("To be filtered");
    await page.goto("/panel/sessions");
    await page.getByRole("button", { name: "Id", exact: true }).click();
    await page.keyboard.insertText("ses_of_nobody");
    await page.keyboard.press("Enter");
    await expect(spoken(page)).toHaveText("No rows here");
    await page.getByRole("button", { name: "Clear all" }).click();
    await expect(spoken(page)).toHaveText(/^[1-9]\d* rows? here$/);
  });

  test("says which page was chosen in the navigation of a phone, while that still hides all around it", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto("/panel/sessions");
    await page.getByRole("button", { name: "Open the navigation" }).click();
    const drawer = page.getByRole("dialog", { name: "Navigation" });
    await expect(drawer.getByRole("link", { name: "Templates" })).toBeVisible();
    expect(await pageName(page).evaluate((place) => place.closest("[inert], [aria-hidden=true]"))).toBeNull();
    await drawer.getByRole("link", { name: "Templates" }).click();
    await expect(pageName(page)).toHaveText(/^Templates · /);
  });

  test("says a page's title once that is there, though the page was there before, and says no other", async ({
    page,
  }) => {
    await page.goto("/panel/sessions");
    const retitle = (title: string) =>
      page.evaluate((words) => {
        document.title = words;
      }, title);
    await retitle("Renamed");
    await page.evaluate(() => history.pushState(null, "", "/panel/templates"));
    await retitle("");
    await expect(pageName(page)).toHaveText("");
    await retitle("Templates at last");
    await expect(pageName(page)).toHaveText("Templates at last");
    await retitle("Templates (1)");
    await expect(page).toHaveTitle("Templates (1)");
    await expect(pageName(page)).toHaveText("Templates at last");
  });

  test("says which project one works in once another was chosen", async ({ page }) => {
    await createProject(OPERATOR, own.account, { name: "Heard project" });
    await page.goto("/panel/sessions");
    await page.getByRole("button", { name: /^Project / }).click();
    await page
      .getByRole("dialog", { name: "Switch the project" })
      .getByRole("button", { name: "Heard project" })
      .click();
    await expect(spoken(page)).toHaveText("You are working in Heard project now.");
    await expect(page.getByRole("button", { name: "Project Heard project" })).toBeVisible();
  });

  test("says that no project was found from a place that was there before the search", async ({ page }) => {
    for (let count = 1; count <= 10; count++) {
      await createProject(OPERATOR, own.account, { name: `One of many ${count}` });
    }
    await page.goto("/panel/sessions");
    await page.getByRole("button", { name: /^Project / }).click();
    const dialog = page.getByRole("dialog", { name: "Switch the project" });
    const place = dialog.locator("[aria-live]");
    await expect(place).toHaveText("");
    expect(await place.evaluate((shown) => getComputedStyle(shown).display)).not.toBe("none");
    await dialog.getByRole("textbox", { name: "Find a project" }).fill("of nobody");
    await expect(place).toHaveText("No project has this in its name.");
  });

  test("tells the tabs of one snippet from those of the next", async ({ page }) => {
    await page.goto("/docs/webhooks");
    const labels = await page.getByRole("tablist").evaluateAll((lists) => lists.map((list) => list.ariaLabel));
    expect(labels.length).toBeGreaterThan(1);
    expect(new Set(labels).size).toBe(labels.length);
  });

  test("tells of no wrong entry on a page where nothing was entered", async ({ page }) => {
    await page.goto(API_KEYS);
    const box = page.getByRole("textbox", { name: "Find by id" });
    expect(await box.evaluate((input: HTMLInputElement) => input.validity.valid)).toBe(true);
    await box.press("Enter");
    await expect(page).toHaveURL(API_KEYS);
  });
});
