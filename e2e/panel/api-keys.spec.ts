import { expect, type Locator, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { expectToast, refreshBySight } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import {
  ageSignIn,
  endSessions,
  type PanelAccount,
  panelAccount,
  plantSession,
  signInContext,
  type TestPerson,
} from "@/e2e/support/panel-browser";
import { suite } from "@/e2e/support/suite";
import { sendUnknownField } from "@/e2e/support/unknown-field";
import { prisma } from "@/lib/db/prisma";

const PATH = "/panel/api-b2b/api-keys";
const WHOLE_KEY = /^bld_[0-9A-Za-z]{32}$/;
const HOSTILE_NAME = `<img src=x onerror="window.hacked=1">\u202e"><script>window.hacked=1</script>`;

let account: PanelAccount;
let owner: TestPerson;

test.beforeAll(async () => {
  account = await panelAccount();
  owner = await account.addPerson("owner");
});

test.beforeEach(({ context }) => signInContext(context, owner));

const accountStatus = async (apiKey: string) => (await apiClient(suite.url, apiKey).get("/account")).status;
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

async function createKey(page: Page, name: string): Promise<string> {
  await page.goto(PATH);
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const apiKey = await shownKey(page, "Your new API key");
  await page.getByRole("button", { name: "I have kept it" }).click();
  return apiKey;
}

async function shownKey(page: Page, title: string): Promise<string> {
  const code = page.getByRole("dialog", { name: title }).locator("code").first();
  await expect(code).toHaveText(WHOLE_KEY);
  return (await code.textContent()) ?? "";
}

/** Has a person whose sign-in is an old one make a key. @returns the question for their password */
async function askedForPassword(page: Page, person: TestPerson, keyName: string): Promise<Locator> {
  await ageSignIn(person);
  await page.goto(PATH);
  await page.getByRole("button", { name: "Create key" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill(keyName);
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  return page.getByRole("dialog", { name: "Confirm that it is you" });
}

test.describe("API keys", () => {
  test("shows a new key once, and the API takes it at once", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(PATH);
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
    await page.goto(PATH);
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
    await page.goto(PATH);
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

  test("leads back to where one was before once a key's details were closed", async ({ page }) => {
    await page.goto("/panel/usage");
    await page.getByRole("navigation", { name: "Panel" }).getByRole("link", { name: "API Keys" }).click();
    const details = page.locator("[data-side-panel]");
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Emulation.setScrollbarsHidden", { hidden: false });
    const place = await page.getByRole("main").boundingBox();
    for (const close of [
      () => page.keyboard.press("Escape"),
      () => page.getByRole("link", { name: "Close" }).click(),
    ]) {
      await page.locator("[data-row-link]").first().press("Enter");
      await expect(details.getByRole("dialog")).toBeVisible();
      await expect(details.getByRole("link", { name: "Close" })).toBeFocused();
      // The page behind is too short for a scrollbar, and none makes room for itself.
      expect(await page.locator("main").boundingBox()).toEqual(place);
      await close();
      await expect(details).toHaveCount(0);
      await expect(page.locator("[data-row-link]").first()).toBeFocused();
    }
    await page.goBack();
    await expect(page).toHaveURL("/panel/usage");
  });

  test("makes one key of two presses of Enter", async ({ page }) => {
    await page.goto(PATH);
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
    expect(await prisma().apiKey.count({ where: { accountId: account.accountId, name: "Pressed twice" } })).toBe(1);
  });

  test("shows a key that was made while its dialog was being closed", async ({ page }) => {
    await page.goto(PATH);
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
    const other = await account.addPerson("admin");
    await signInContext(context, other);
    const prompt = await askedForPassword(page, other, "Confirmed");
    await prompt.getByLabel("Password").fill(other.password);
    await prompt.getByRole("button", { name: "Confirm" }).click();
    await shownKey(page, "Your new API key");
  });

  test("tries a password once for two presses of Enter: a wrong one would count twice", async ({ page, context }) => {
    const other = await account.addPerson("admin");
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
    const [admin, stranger] = [await account.addPerson("admin"), await panelAccount()];
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
    await page.goto(PATH);
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
    await page.goto(PATH);
    await sendUnknownField(page, PATH);
    await page.getByRole("button", { name: "Create key" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create an API key" });
    await dialog.getByLabel("Name").fill("Not made");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("What was sent has unknown fields.");
    expect(await prisma().apiKey.count({ where: { projectId: account.projectId, name: "Not made" } })).toBe(0);
  });

  test("rotates with an overlap in which both keys work and are told apart", async ({ page }) => {
    const old = await createKey(page, "To rotate");
    await row(page, "To rotate").getByRole("link").click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("button", { name: "Make the new key" }).click();
    const made = await shownKey(page, "The key that takes over");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog", { name: "The key that takes over" })).toContainText(made);
    expect(made).not.toBe(old);
    expect([await accountStatus(old), await accountStatus(made)]).toEqual([200, 200]);
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.goto(PATH);
    await expect(row(page, "To rotate")).toHaveCount(2);
    await expect(row(page, "To rotate").filter({ hasText: "replaced" })).toContainText(/in (23 h|24 h|1 day)/);
    for (const [key, isReplaced] of [
      [old, true],
      [made, false],
    ] as const) {
      await page.goto(PATH);
      await row(page, key.slice(-4)).getByRole("link").click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      const question = page.getByRole("alertdialog", { name: `Revoke the key …${key.slice(-4)}?` });
      await expect(question).toContainText(`the key …${key.slice(-4)} is refused`);
      await expect(question.getByText("replaced by a newer key")).toHaveCount(isReplaced ? 1 : 0);
    }
  });

  test("revokes when the name is typed, and the API refuses the key from then on", async ({ page }) => {
    const apiKey = await createKey(page, "To revoke");
    await row(page, "To revoke").getByRole("link").click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    const question = page.getByRole("alertdialog", { name: `Revoke the key …${apiKey.slice(-4)}?` });
    await expect(question.getByRole("button", { name: "Revoke key" })).toBeDisabled();
    await question.getByRole("textbox").fill("To revoke");
    await question.getByRole("button", { name: "Revoke key" }).click();
    await expectToast(page, "Key revoked");
    expect(await accountStatus(apiKey)).toBe(401);
    await page.goto(`${PATH}?show=all`);
    await expect(row(page, "To revoke")).toContainText("revoked");
  });

  test("warns of a key that is older than 90 days", async ({ page }) => {
    await createKey(page, "Old one");
    await prisma().apiKey.updateMany({
      where: { projectId: account.projectId, name: "Old one" },
      data: { createdAt: new Date(Date.now() - 91 * 86_400_000) },
    });
    await page.goto(PATH);
    await expect(row(page, "Old one")).toContainText("91 days old: rotate");
  });

  test("finds a key by its name, its id and by itself, which never goes into an address", async ({ page, browser }) => {
    const apiKey = await createKey(page, "Warehouse, to find");
    await createKey(page, "Beside it");
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${request.headers().referer} ${request.postData()}`));
    await page.goto(PATH);
    const find = async (text: string) => {
      await page.getByRole("button", { name: /^Find/ }).click();
      await page.getByRole("textbox", { name: "Find", exact: true }).fill(text);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("textbox", { name: "Find", exact: true })).toHaveCount(0);
    };
    await find("wareHOUSE");
    await expect(page).toHaveURL(`${PATH}?q=wareHOUSE`);
    await expect(row(page, "…")).toHaveCount(1);
    await row(page, "Warehouse").getByRole("link").click();
    await expect(page.getByRole("dialog", { name: "Warehouse, to find" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(`${PATH}?q=wareHOUSE`);
    await find(`SERVICE_API_KEY="${apiKey}"`);
    const shown = `…${apiKey.slice(-4)}`;
    await expect(page).toHaveURL(`${PATH}?q=${encodeURIComponent(shown)}`);
    await expect(row(page, "…")).toHaveCount(1);
    await expect(row(page, "Warehouse, to find")).toBeVisible();
    await expectWellMade(page, "api-keys-found");
    await find("no such key");
    await expect(page.getByText("No key in use is like that")).toBeVisible();
    await page.getByRole("link", { name: "Look among all keys" }).click();
    await expect(page).toHaveURL(`${PATH}?q=no+such+key&show=all`);
    await expect(page.getByText("No key is like that")).toBeVisible();
    await page.goto(`${PATH}?q=${"x".repeat(201)}`);
    await expect(page.getByText("This filter cannot be read")).toBeVisible();

    const searched = page.getByRole("textbox", { name: "Find by id" });
    await searched.fill(apiKey);
    await searched.press("Enter");
    await expect(page.getByRole("dialog", { name: "Warehouse, to find" })).toBeVisible();
    await expect(page).toHaveURL(/\?key=key_/);
    expect(sent.filter((line) => line.includes(apiKey))).toEqual([]);

    const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: suite.url });
    await signInContext(plain, owner);
    const unscripted = await plain.newPage();
    for (const [address, found] of [
      [`${PATH}?q=${apiKey}`, `${PATH}?show=all&q=${encodeURIComponent(shown)}`],
      [`/panel/search?q=${apiKey}`, /\?key=key_/],
    ] as const) {
      await unscripted.goto(address);
      await expect(unscripted).toHaveURL(found);
    }
    await plain.close();
  });

  test("shows members the keys and no way to change them", async ({ page, context }) => {
    await signInContext(context, await account.addPerson("member"));
    await page.goto(PATH);
    await expect(row(page, "Test").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Create key" })).toHaveCount(0);
    await row(page, "Test").first().getByRole("link").click();
    await expect(page.getByRole("dialog")).toContainText("Last used");
    await expect(page.getByRole("button", { name: /Rotate|Revoke/ })).toHaveCount(0);
  });

  test("shows nothing of another company's key", async ({ page }) => {
    const theirs = await panelAccount();
    const { id } = await prisma().apiKey.findFirstOrThrow({ where: { projectId: theirs.projectId } });
    await page.goto(`${PATH}?key=${id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("API Keys");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("shows a hostile name as text", async ({ page }) => {
    await createKey(page, HOSTILE_NAME);
    await expect(row(page, "<img src=x")).toBeVisible();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });

  test("says why no key can be made before verification, and since when it waits", async ({ page, context }) => {
    const waiting = await panelAccount();
    await prisma().account.update({ where: { id: waiting.accountId }, data: { verificationStatus: "unsubmitted" } });
    await signInContext(context, await waiting.addPerson("owner"));
    await page.goto(PATH);
    await expect(page.getByText("Verify your company first")).toBeVisible();
    await expect(page.getByRole("button", { name: "Create key" })).toHaveCount(0);
    await prisma().apiKey.deleteMany({ where: { accountId: waiting.accountId } });
    await page.reload();
    await expect(page.getByText("Keys are created and stand here once the company is verified.")).toBeVisible();
    await prisma().account.update({ where: { id: waiting.accountId }, data: { verificationStatus: "pending" } });
    await prisma().verificationSubmission.create({
      data: {
        id: `ver_${waiting.accountId}`,
        accountId: waiting.accountId,
        company: {},
        submittedAt: new Date(Date.now() - 5 * 3_600_000),
        dueAt: new Date(Date.now() + 43 * 3_600_000),
      },
    });
    await page.reload();
    await expect(page.getByText("Your company is being verified")).toBeVisible();
    await expect(page.getByText("5 h ago")).toBeVisible();
  });

  test("shows an open page what staff decided, and takes no dialog or new key from under somebody's hands", async ({
    page,
    context,
  }) => {
    const waiting = await panelAccount();
    const decide = (verificationStatus: string) =>
      prisma().account.update({
        where: { id: waiting.accountId },
        data: { verificationStatus, verifiedAt: verificationStatus === "verified" ? new Date() : null },
      });
    await decide("unsubmitted");
    await prisma().apiKey.deleteMany({ where: { projectId: waiting.projectId } });
    await signInContext(context, await waiting.addPerson("owner"));
    await page.goto(PATH);
    await expect(page.getByText("Verify your company first")).toBeVisible();
    await decide("verified");
    await refreshBySight(page);
    await expect(page.getByText("Verify your company first")).toHaveCount(0);
    // The button of the empty list, which is gone with the first key.
    await page.getByRole("button", { name: "Create key" }).last().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Kept");
    await decide("suspended");
    expect(await refreshBySight(page)).toBe(0);
    await decide("verified");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const apiKey = await shownKey(page, "Your new API key");
    expect(await refreshBySight(page)).toBe(0);
    await expect(dialog).toContainText(apiKey);
    await page.getByRole("button", { name: "I have kept it" }).click();
    await expect(row(page, "Kept")).toBeVisible();
    await decide("suspended");
    await refreshBySight(page);
    await expect(page.getByRole("button", { name: "Create key" })).toHaveCount(0);
  });

  test("works by keyboard alone, and keeps a new key on the screen until it is copied", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(PATH);
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

  test("is well made, as a list, with a key open and empty", async ({ page, context }) => {
    await createKey(page, "Support desk");
    await page.goto(PATH);
    await expectWellMade(page, "api-keys");
    await row(page, "Support desk").getByRole("link").click();
    await expect(page.getByRole("dialog", { name: "Support desk" })).toBeVisible();
    await expectWellMade(page, "api-key");
    const fresh = await panelAccount();
    await prisma().apiKey.deleteMany({ where: { projectId: fresh.projectId } });
    await signInContext(context, await fresh.addPerson("owner"));
    await page.goto(PATH);
    await expect(page.getByText("No keys in use")).toBeVisible();
    await expectWellMade(page, "api-keys-empty");
  });
});
