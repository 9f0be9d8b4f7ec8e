import { randomUUID } from "node:crypto";
import { TOTP } from "otpauth";
import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { expectToast, recordPending } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import {
  ageSignIn,
  cookieOf,
  type PanelAccount,
  panelAccount,
  signedInPage,
  signInContext,
  staffPerson,
} from "@/e2e/support/panel-browser";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { openPersonSession } from "@/lib/services/people/person-session";

const PAGE = "/panel/settings/account";
const STEP_MS = 30_000;

let account: PanelAccount;

test.beforeAll(async () => {
  account = await panelAccount();
});

async function setUp(page: Page): Promise<{ key: string; recoveryCodes: string[] }> {
  await page.getByRole("button", { name: "Set up" }).click();
  return finishSetUp(page);
}

async function finishSetUp(page: Page): Promise<{ key: string; recoveryCodes: string[] }> {
  await expect(page.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
  const key = ((await page.locator("code", { hasText: /^([A-Z2-7]{4} ?){8}$/ }).textContent()) ?? "").replaceAll(
    " ",
    "",
  );
  await page.getByLabel("Code").fill(new TOTP({ secret: key }).generate());
  await page.getByRole("button", { name: "Confirm" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  return { key, recoveryCodes: await codes.allTextContents() };
}

/** Of a text, as it stands there: where a code is broken nobody knows whether its dash belongs to it. Runs in the page. */
function countLines(element: Element): number {
  const text = document.createRange();
  text.selectNodeContents(element);
  return text.getClientRects().length;
}

test.describe("one's own account", () => {
  test("changes the password; other browsers are signed out, this one is not", async ({ browser }) => {
    const { page, context, person } = await signedInPage(browser, { account });
    await page.goto(PAGE);
    const other = await browser.newContext({ baseURL: suite.url });
    const otherPage = await other.newPage();
    await otherPage.goto("/panel/sign-in");
    await otherPage.getByLabel("E-mail").fill(person.email);
    await otherPage.getByLabel("Password").fill(person.password);
    await otherPage.getByRole("button", { name: "Sign in" }).click();
    await expect(otherPage).toHaveURL(/\/panel$/);

    await page.getByLabel("Current password").fill("not this one, no");
    await page.getByLabel("New password").fill("seven green bottles");
    await page.getByRole("button", { name: "Change password" }).click();
    await expect(page.getByText(/is wrong\.$/i)).toBeVisible();
    await page.getByLabel("Current password").fill(person.password);
    await page.getByLabel("New password").fill("seven green bottles");
    await page.getByRole("button", { name: "Change password" }).click();
    await expectToast(page, "Password changed.");
    await expect(page.getByLabel("Current password")).toHaveValue("");

    await otherPage.goto(PAGE);
    await expect(otherPage).toHaveURL(/sign-in/);
    expect((await fetch(suite.url + PAGE, { headers: cookieOf(person), redirect: "manual" })).status).toBe(200);
    await Promise.all([context.close(), other.close()]);
  });

  test("shows where one is signed in and signs one of them out at once", async ({ browser }) => {
    const { page, context, person } = await signedInPage(browser, { account });
    const other = await browser.newContext({ baseURL: suite.url });
    const otherPage = await other.newPage();
    await otherPage.goto("/panel/sign-in");
    await otherPage.getByLabel("E-mail").fill(person.email);
    await otherPage.getByLabel("Password").fill(person.password);
    await otherPage.getByRole("button", { name: "Sign in" }).click();
    await expect(otherPage).toHaveURL(/\/panel$/);
    await page.goto(PAGE);
    const row = page.getByRole("row", { name: /Chrome on Linux/ });
    await row.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Sign it out" }).click();
    await expectToast(page, "Signed out there.");
    await expect(row).toHaveCount(0);
    await otherPage.goto(PAGE);
    await expect(otherPage).toHaveURL(/sign-in/);
    await Promise.all([context.close(), other.close()]);
  });

  test("sets up a second factor; signing in then wants a code, and takes a recovery code once", async ({ browser }) => {
    const { page, context, person } = await signedInPage(browser, { account });
    await page.goto(PAGE);
    const { key, recoveryCodes } = await setUp(page);
    const copy = page.getByRole("button", { name: "Copy the recovery codes" });
    await expect(copy).toBeFocused();
    await expect(copy).toHaveAccessibleDescription(/They are not shown again/);
    const kept = page.getByRole("button", { name: "I have kept them" });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.getByText(recoveryCodes[0] ?? "").evaluate(countLines)).toBe(1);
    await page.setViewportSize({ width: 1280, height: 900 });
    // They are shown this once: what else is changed here takes them away as little as a link.
    await page.getByLabel("Name").fill("Ann Berg");
    await page.getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Saved.");
    await page.getByRole("link", { name: "Usage" }).click();
    const question = page.getByRole("alertdialog", { name: "Leave without keeping it?" });
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")).toHaveText(recoveryCodes);
    const pendingAtTheEnd = await recordPending(page, PAGE);
    await kept.click();
    await expect(page.getByText("10 recovery codes left")).toBeVisible();
    expect(await pendingAtTheEnd()).toContain("I have kept them");

    const fresh = await browser.newContext({ baseURL: suite.url });
    const signIn = await fresh.newPage();
    const give = async (code: string) => {
      await signIn.goto("/panel/sign-in");
      await signIn.getByLabel("E-mail").fill(person.email);
      await signIn.getByLabel("Password").fill(person.password);
      await signIn.getByRole("button", { name: "Sign in" }).click();
      await signIn.getByLabel("Code").fill(code);
      await signIn.getByRole("button", { name: "Confirm" }).click();
    };
    await give("000000");
    await expect(signIn.locator("form").getByRole("alert")).toContainText("That code is wrong");
    await signIn.getByRole("button", { name: "Sign in as somebody else" }).click();
    await expect(signIn.getByLabel("E-mail")).toBeFocused();
    await expect(signIn.locator("form").getByRole("alert")).toHaveCount(0);
    await give(new TOTP({ secret: key }).generate({ timestamp: Date.now() + STEP_MS }));
    await expect(signIn).toHaveURL(/\/panel$/);
    await fresh.clearCookies();
    await give(recoveryCodes[0] ?? "");
    await expect(signIn).toHaveURL(/\/panel$/);
    await fresh.clearCookies();
    await give(recoveryCodes[0] ?? "");
    await expect(signIn.locator("form").getByRole("alert")).toContainText("used already");
    await Promise.all([context.close(), fresh.close()]);
  });

  test("makes new recovery codes and switches the second factor off, each for a code of it alone", async ({
    browser,
  }) => {
    const { page, context } = await signedInPage(browser, { account });
    await page.goto(PAGE);
    const { recoveryCodes } = await setUp(page);
    await page.getByRole("button", { name: "I have kept them" }).click();
    const give = async (button: string, code: string, submit: string) => {
      await page.getByRole("button", { name: button }).click();
      await page.getByLabel("Present code").fill(code);
      await page.getByRole("button", { name: submit }).click();
    };
    await give("New recovery codes", "000000", "Make new codes");
    await expect(page.locator("form").getByText("is wrong or was used already")).toBeVisible();
    await page.getByRole("button", { name: "Cancel" }).click();
    await give("New recovery codes", recoveryCodes[0] ?? "", "Make new codes");
    const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
    await expect(codes).toHaveCount(10);
    const renewed = await codes.allTextContents();
    await page.getByRole("button", { name: "I have kept them" }).click();
    await expect(page.getByText("10 recovery codes left")).toBeVisible();
    await give("Switch off", renewed[0] ?? "", "Switch it off");
    await expect(page.getByRole("button", { name: "Set up" })).toBeVisible();
    await context.close();
  });

  test("keeps the keyboard's place: Cancel gives the focus back to the button, new recovery codes take it", async ({
    browser,
  }) => {
    const { page, context } = await signedInPage(browser, { account });
    await page.goto(PAGE);
    const copy = page.getByRole("button", { name: "Copy the recovery codes" });
    const { recoveryCodes } = await setUp(page);
    await expect(copy).toBeFocused();
    await page.getByRole("button", { name: "I have kept them" }).click();
    for (const name of ["New recovery codes", "Move to another app", "Switch off"]) {
      const button = page.getByRole("button", { name });
      await button.press("Enter");
      await expect(page.getByLabel("Present code")).toBeFocused();
      await page.getByRole("button", { name: "Cancel" }).press("Enter");
      await expect(button).toBeFocused();
    }
    await page.getByRole("button", { name: "New recovery codes" }).press("Enter");
    await page.keyboard.insertText(recoveryCodes[0] ?? "");
    await page.keyboard.press("Enter");
    await expect(copy).toBeFocused();
    await context.close();
  });

  test("gives up what was begun: the first second factor and the move to another app, each with nothing changed", async ({
    browser,
  }) => {
    const { page, context, person } = await signedInPage(browser, { account });
    await page.goto(PAGE);
    const start = page.getByRole("button", { name: "Set up" });
    const pending = async () =>
      (await prisma().user.findUniqueOrThrow({ where: { id: person.userId } })).totpPendingEncrypted;
    const cancel = async () => {
      await expect(page.getByLabel("Code", { exact: true })).toBeFocused();
      expect(await pending()).not.toBeNull();
      await page.getByRole("button", { name: "Cancel" }).press("Enter");
      await expect.poll(pending).toBeNull();
    };
    await start.click();
    await cancel();
    await expect(start).toBeFocused();

    const { recoveryCodes } = await setUp(page);
    await page.getByRole("button", { name: "I have kept them" }).click();
    const move = page.getByRole("button", { name: "Move to another app" });
    await move.click();
    await page.getByLabel("Present code").fill(recoveryCodes[0] ?? "");
    await page.getByRole("button", { name: "Go on" }).click();
    await cancel();
    await expect(move).toBeFocused();
    await expect(page.getByText("9 recovery codes left")).toBeVisible();
    await context.close();
  });

  test("asks for the password before a second factor is set up in an old session", async ({ browser }) => {
    const { page, context, person } = await signedInPage(browser, { account });
    await ageSignIn(person);
    await page.goto(PAGE);
    await page.getByRole("button", { name: "Set up" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByLabel("Password").fill("not this one, no");
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await expect(dialog.getByText("password is wrong")).toBeVisible();
    await dialog.getByLabel("Password").fill(person.password);
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
    await context.close();
  });

  test("shows the other services that sign one in, and removes them after the password, but not the only way in", async ({
    browser,
  }) => {
    const { page, context, person } = await signedInPage(browser, { account });
    const { userId } = person;
    const section = page.getByRole("region", { name: "Other ways in" });
    await page.goto(PAGE);
    await expect(page.getByRole("heading", { name: "Where you are signed in" })).toBeVisible();
    await expect(section).toHaveCount(0);
    await prisma().userIdentity.createMany({
      data: ["google", "google", "github"].map((provider) => ({ provider, subject: randomUUID(), userId })),
    });
    const elsewhere = await prisma().$transaction((tx) =>
      openPersonSession(tx, { userId, isStaff: false }, { ip: null, userAgent: null }),
    );
    await ageSignIn(person);
    await page.goto(PAGE);
    await expect(section.getByRole("row", { name: /Google/ })).toContainText("2 accounts there");
    await expectWellMade(page, "own-account-services");
    await section
      .getByRole("row", { name: /Google/ })
      .getByRole("button", { name: "Remove" })
      .click();
    await page.getByRole("button", { name: "Remove it" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByLabel("Password").fill(person.password);
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await expectToast(page, "Google no longer signs you in.");
    const google = section.getByRole("row", { name: /Google/ });
    await expect(google).toContainText("Taken off");
    await expectWellMade(page, "own-account-taken-off");
    await google.getByRole("button", { name: "Allow again" }).click();
    await expectToast(page, "Sign in with Google to join it again.");
    await expect(google).toHaveCount(0);
    expect(
      (
        await fetch(suite.url + PAGE, {
          headers: cookieOf({ ...person, sessionToken: elsewhere.token }),
          redirect: "manual",
        })
      ).status,
    ).toBe(307);
    await prisma().user.update({ where: { id: userId }, data: { passwordHash: null } });
    await page.reload();
    await expect(section.getByRole("row", { name: /GitHub/ })).toBeVisible();
    await expect(section.getByRole("button")).toHaveCount(0);
    await expect(section).toContainText("Your only way in");
    await expect(page.getByRole("region", { name: "Password" })).toContainText(
      `reset-password --email ${person.email}`,
    );
    // Nobody is asked for a password that they do not have.
    await ageSignIn(person);
    await page.getByRole("button", { name: "Set up" }).click();
    await expectToast(page, "you have no password to confirm it with");
    await expect(dialog).toHaveCount(0);
    await context.close();
  });

  test("says who changes the address where no mail is sent, and takes no link that does not work", async ({
    browser,
  }) => {
    const { page, context, person } = await signedInPage(browser, { account });
    await page.goto(PAGE);
    const section = page.getByRole("region", { name: "E-mail address" });
    await expect(section).toContainText(`npm run admin -- change-email --email ${person.email}`);
    await expect(section.getByRole("button")).toHaveCount(0);
    await page.goto(`/panel/change-email?token=${"x".repeat(43)}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link does not work any more");
    await expect(page.locator("form")).toHaveCount(0);
    await context.close();
  });

  test("shows a hostile name and never runs it", async ({ browser }) => {
    const { page, context } = await signedInPage(browser, { account });
    await page.goto(PAGE);
    const name = `<img src=x onerror="window.__xss=1">"><script>window.__xss=1</script>`;
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Saved.");
    await page.goto("/panel/settings/team");
    await expect(page.getByText(name)).toBeVisible();
    expect(await page.evaluate(() => "__xss" in window)).toBe(false);
    await context.close();
  });

  test("refuses a name that cannot be kept, at its field", async ({ browser }) => {
    const { page, context } = await signedInPage(browser, { account });
    await page.goto(PAGE);
    await page.getByLabel("Name").fill("Ann\u0000");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("must be plain text")).toBeVisible();
    await context.close();
  });

  test("is accessible in both themes and widths", async ({ browser }) => {
    const { page, context } = await signedInPage(browser, { account });
    for (const [name, path] of [
      ["own-account", PAGE],
      ["team", "/panel/settings/team"],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectWellMade(page, name);
    }
    await context.close();
  });
});

test.describe("staff", () => {
  test("set up a second factor first, then come to their own place", async ({ browser }) => {
    const created = await createStaff({ kind: "operator" }, { email: `staff-${randomUUID()}@example.test` });
    const context = await browser.newContext({ baseURL: suite.url });
    const page = await context.newPage();
    await page.goto("/panel/sign-in?next=/panel/enrol");
    await page.getByLabel("E-mail").fill(created.email);
    await page.getByLabel("Password").fill(created.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Set up a second factor");
    await expectWellMade(page, "auth-enrol");
    await page.getByRole("button", { name: "Set up" }).click();
    await expect(page.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
    await expectWellMade(page, "auth-enrol-code");
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("button", { name: "Set up" })).toBeFocused();
    await page.getByRole("button", { name: "Set up" }).click();
    const signOut = page.getByRole("button", { name: "Sign out" });
    await expect(signOut).toBeVisible();
    await finishSetUp(page);
    // It is on by now: whoever left would lose the codes.
    await expect(signOut).toHaveCount(0);
    await expectWellMade(page, "auth-enrol-recovery");
    await page.getByRole("button", { name: "I have kept them" }).click();
    await expect(page).toHaveURL(/\/staff/);
    await context.close();
  });

  test("have their sign-in under /staff: password, second factor, browsers; nobody else finds it", async ({
    browser,
  }) => {
    const person = await staffPerson();
    const context = await browser.newContext({ baseURL: suite.url });
    await signInContext(context, person);
    const page = await context.newPage();
    await page.goto("/staff");
    await page.getByRole("button", { name: /^You: / }).click();
    await page.getByRole("link", { name: "Your account" }).click();
    await expect(page).toHaveURL(/\/staff\/account$/);
    await expect(page.getByRole("row").filter({ hasText: "this one" })).toHaveCount(1);
    await expect(page.getByRole("button", { name: "Switch off" })).toHaveCount(0);
    await expectWellMade(page, "staff-own-account");

    await page.getByRole("button", { name: "Move to another app" }).click();
    const old = new TOTP({ secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" });
    await page.getByLabel("Present code").fill(old.generate());
    await page.getByRole("button", { name: "Go on" }).click();
    await finishSetUp(page);
    await page.getByRole("button", { name: "I have kept them" }).click();
    await expect(page.getByText("10 recovery codes left")).toBeVisible();

    await page.getByLabel("Current password").fill(person.password);
    await page.getByLabel("New password").fill("seven green bottles");
    await page.getByRole("button", { name: "Change password" }).click();
    await expectToast(page, "Password changed.");
    const owner = await account.addPerson("owner");
    expect((await fetch(`${suite.url}/staff/account`, { headers: cookieOf(owner) })).status).toBe(404);
    await context.close();
  });
});
