import { expect, type Locator, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { API_KEYS, accountStatus, row, shownKey } from "@/e2e/support/panel-api-keys";
import {
  ageSignIn,
  endSessions,
  panelAccount,
  plantSession,
  signInContext,
  type TestPerson,
} from "@/e2e/support/panel-browser";
import { usePanelOwner } from "@/e2e/support/panel-owner";
import { sendUnknownField } from "@/e2e/support/unknown-field";
import { prisma } from "@/lib/db/prisma";

const own = usePanelOwner();

/** Has a person whose sign-in is an old one make a key. @returns the question for their password */
async function askedForPassword(page: Page, person: TestPerson, keyName: string): Promise<Locator> {
  await ageSignIn(person);
  await page.goto(API_KEYS);
  await page.getByRole("button", { name: "Create key" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill(keyName);
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  return page.getByRole("dialog", { name: "Confirm that it is you" });
}

test.describe("API keys", () => {
  test("shows a new key once, and the API takes it at once", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(API_KEYS);
    await page.getByRole("button", { name: "Create key" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create an API key" });
    await dialog.getByLabel("Name").fill("Billing backend");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const apiKey = await shownKey(page, "Your new API key");
    await page.getByRole("button", { name: "Copy the API key" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(apiKey);
    await page.getByRole("button", { name: "I have kept it" }).click();
    await expect(row(page, "Billing backend")).toContainText(apiKey.slice(-4));
    expect(await accountStatus(apiKey)).toBe(200);
    await page.reload();
    await expect(row(page, "Billing backend")).toBeVisible();
    expect(await page.content()).not.toContain(apiKey);
  });

  test("puts a key on the clipboard also where the page has no clipboard interface: without HTTPS", async ({
    page,
  }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await page.goto(API_KEYS);
    await page.getByRole("button", { name: "Create key" }).first().click();
    await page.getByLabel("Name").fill("Private network");
    await page.keyboard.press("Enter");
    const apiKey = await shownKey(page, "Your new API key");
    const copy = page.getByRole("button", { name: "Copy the API key" });
    await copy.click();
    await expect(copy).toContainText("Copied");
    await expect(copy).toBeFocused();
    await page.getByRole("button", { name: "I have kept it" }).click();
    const search = page.getByRole("textbox", { name: "Find by id" });
    await search.click();
    await page.keyboard.press("ControlOrMeta+v");
    await expect(search).toHaveValue(apiKey);
  });

  test("shows of a button that works that it does, not that it is switched off", async ({ page }) => {
    await page.goto(API_KEYS);
    await page.getByRole("button", { name: "Create key" }).first().click();
    const held = Promise.withResolvers<void>();
    await page.route("**/*", async (route) => {
      if (route.request().headers()["next-action"]) await held.promise;
      await route.continue();
    });
    await page.getByLabel("Name").fill("Takes a while");
    await page.keyboard.press("Enter");
    const busy = page.getByRole("dialog").locator("[data-pending=true]");
    await expect(busy).toHaveText("Create key");
    const line = () =>
      busy.evaluate((button) => {
        const { content, borderBottomWidth, animationName } = getComputedStyle(button, "::after");
        return { content, borderBottomWidth, animationName };
      });
    const still = { content: '""', borderBottomWidth: "2px", animationName: "none" };
    expect(await line()).toEqual(still);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await line()).toEqual({ ...still, animationName: "busy" });
    await page.emulateMedia({ reducedMotion: "reduce" });
    held.resolve();
    await shownKey(page, "Your new API key");
    await page.unrouteAll({ behavior: "wait" });
  });

  test("asks before the browser's back button takes away a form that was filled in, or a key that was not copied", async ({
    page,
    context,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/panel/usage");
    await page.getByRole("navigation", { name: "Panel" }).getByRole("link", { name: "API Keys" }).click();
    await page.getByRole("button", { name: "Create key" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("Kept");
    const back = () => page.evaluate(() => history.back());
    await back();
    await page
      .getByRole("alertdialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Stay" })
      .click();
    await expect(page.getByRole("dialog").getByLabel("Name")).toHaveValue("Kept");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const apiKey = await shownKey(page, "Your new API key");
    await back();
    const question = page.getByRole("alertdialog", { name: "Leave without keeping it?" });
    await question.getByRole("button", { name: "Stay" }).click();
    expect(await shownKey(page, "Your new API key")).toBe(apiKey);
    await page.getByRole("button", { name: "Copy the API key" }).click();
    await expect(page.getByText("Copied: the API key")).toBeAttached();
    await back();
    await expect(page).toHaveURL("/panel/usage");
  });

  test("asks as well in browsers without a navigation to hold, such as an iPhone's of two years ago", async ({
    page,
  }) => {
    await page.addInitScript(() => Object.defineProperty(window, "navigation", { value: undefined }));
    await page.goto("/panel/usage");
    await page.getByRole("navigation", { name: "Panel" }).getByRole("link", { name: "API Keys" }).click();
    await page.getByRole("button", { name: "Create key" }).first().click();
    const name = page.getByRole("dialog").getByLabel("Name");
    await name.fill("Kept");
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    for (const answer of ["Stay", "Stay", "Leave"]) {
      await page.evaluate(() => history.back());
      await question.getByRole("button", { name: answer }).click();
      await expect(question).toHaveCount(0);
      if (answer === "Leave") break;
      await expect(page).toHaveURL(API_KEYS);
      await expect(name).toHaveValue("Kept");
    }
    await expect(page).toHaveURL("/panel/usage");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Usage");
  });

  test("asks again where what was typed still stands after one has left for another part of the page", async ({
    page,
  }) => {
    await page.goto("/panel/usage");
    await page.getByRole("navigation", { name: "Panel" }).getByRole("link", { name: "API Keys" }).click();
    await page.locator("[data-row-link]").first().press("Enter");
    await expect(page).toHaveURL(/key=/);
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(API_KEYS);
    await page.getByRole("button", { name: "Create key" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("Kept");
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await page.evaluate(() => history.forward());
    await question.getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL(/key=/);
    await expect(question).toHaveCount(0);
    await page.evaluate(() => history.back());
    await expect(question).toBeVisible();
  });

  test("makes one key of two presses of Enter", async ({ page }) => {
    await page.goto(API_KEYS);
    await page.getByRole("button", { name: "Create key" }).first().click();
    await page.route("**/*", async (route) => {
      if (route.request().headers()["next-action"]) await page.waitForTimeout(300);
      await route.continue();
    });
    await page.getByLabel("Name").fill("Pressed twice");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog").locator("[data-pending=true]")).toBeVisible();
    await page.keyboard.press("Enter");
    await shownKey(page, "Your new API key");
    await page.unrouteAll({ behavior: "wait" });
    expect(await prisma().apiKey.count({ where: { accountId: own.account.accountId, name: "Pressed twice" } })).toBe(1);
  });

  test("shows a key that was made while its dialog was being closed", async ({ page }) => {
    await page.goto(API_KEYS);
    await page.getByRole("button", { name: "Create key" }).first().click();
    let isHeld = true;
    await page.route("**/*", async (route) => {
      while (isHeld && route.request().headers()["next-action"]) await page.waitForTimeout(50);
      await route.continue();
    });
    await page.getByLabel("Name").fill("Closed too early");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    isHeld = false;
    await shownKey(page, "Your new API key");
    await page.unrouteAll({ behavior: "wait" });
  });

  test("asks for the password first when the sign-in is an old one", async ({ page, context }) => {
    const other = await own.account.addPerson("admin");
    await signInContext(context, other);
    const prompt = await askedForPassword(page, other, "Confirmed");
    await prompt.getByLabel("Password").fill(other.password);
    await prompt.getByRole("button", { name: "Confirm" }).click();
    await shownKey(page, "Your new API key");
  });

  test("tries a password once for two presses of Enter: a wrong one would count twice", async ({ page, context }) => {
    const other = await own.account.addPerson("admin");
    await signInContext(context, other);
    const prompt = await askedForPassword(page, other, "Tried once");
    let sent = 0;
    const pressedTwice = Promise.withResolvers<void>();
    await page.route("**/*", async (route) => {
      if (route.request().postData()?.includes("this is not it")) {
        sent += 1;
        await pressedTwice.promise;
      }
      await route.continue();
    });
    await prompt.getByLabel("Password").fill("this is not it, sadly");
    await page.keyboard.press("Enter");
    await expect(prompt.locator("[data-pending=true]")).toBeVisible();
    await page.keyboard.press("Enter");
    pressedTwice.resolve();
    await expect(prompt.locator("[data-pending=true]")).toHaveCount(0);
    await page.unrouteAll({ behavior: "wait" });
    expect(sent).toBe(1);
  });

  test("takes no password once the session has ended, nor somebody else's: no key is made anywhere", async ({
    page,
    context,
  }) => {
    const [admin, stranger] = [await own.account.addPerson("admin"), await panelAccount()];
    await signInContext(context, admin);
    const prompt = await askedForPassword(page, admin, "Whose key");
    await prompt.getByLabel("Password").fill(admin.password);
    await endSessions(admin);
    await prompt.getByRole("button", { name: "Confirm" }).click();
    await expect(prompt.getByRole("alert")).toContainText("You are signed out");
    const other = await stranger.addPerson("owner");
    await plantSession(context, other);
    await prompt.getByLabel("Password").fill(other.password);
    await prompt.getByRole("button", { name: "Confirm" }).click();
    await expect(prompt.getByText("somebody else is signed in now")).toBeVisible();
    expect(await prisma().apiKey.count({ where: { name: "Whose key" } })).toBe(0);
  });

  test("names what is missing at its field and makes nothing", async ({ page }) => {
    await page.goto(API_KEYS);
    await page.getByRole("button", { name: "Create key" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create an API key" });
    await dialog.getByLabel("Name").fill("No permissions");
    for (const name of [/^process/, /^chat/]) await dialog.getByRole("checkbox", { name }).uncheck({ force: true });
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expect(dialog.getByRole("group", { name: "Permissions" })).toContainText("at least one");
    await expect(dialog.getByRole("checkbox").first()).toBeFocused();
    await page.keyboard.press("Escape");
    await page.reload();
    await expect(row(page, "No permissions")).toHaveCount(0);
  });

  test("says in the form what is wrong with what no field of it holds", async ({ page }) => {
    await page.goto(API_KEYS);
    await sendUnknownField(page, API_KEYS);
    await page.getByRole("button", { name: "Create key" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create an API key" });
    await dialog.getByLabel("Name").fill("Not made");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("What was sent has unknown fields.");
    expect(await prisma().apiKey.count({ where: { projectId: own.account.projectId, name: "Not made" } })).toBe(0);
  });

  test("works by keyboard alone, and keeps a new key on the screen until it is copied", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(API_KEYS);
    const open = page.getByRole("button", { name: "Create key" }).first();
    await open.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByLabel("Name")).toBeFocused();
    await page.keyboard.type("By keyboard");
    await page.keyboard.press("Enter");
    const apiKey = await shownKey(page, "Your new API key");
    await expect(page.getByRole("button", { name: "Copy the API key" })).toBeFocused();
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await expect(page.getByRole("dialog", { name: "Your new API key" })).toContainText(apiKey);
    await expect(page.getByRole("dialog").getByRole("button", { name: "Close" })).toHaveCount(0);
    await page.getByRole("button", { name: "Copy the API key" }).press("Enter");
    await expect(page.getByRole("dialog").getByRole("button", { name: "Close" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await row(page, "By keyboard").getByRole("link").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: "By keyboard" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});
