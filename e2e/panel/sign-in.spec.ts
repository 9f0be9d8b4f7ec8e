import { randomUUID } from "node:crypto";
import { TOTP } from "otpauth";
import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { expectWellMade } from "@/e2e/support/page-look";
import {
  ageSignIn,
  cookieOf,
  type PanelAccount,
  panelAccount,
  plantSession,
  signedInPage,
  signInContext,
  staffPerson,
  type TestPerson,
} from "@/e2e/support/panel-browser";
import { suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { createPasswordLink } from "@/lib/services/people/change-password";
import { revokeOtherSessions } from "@/lib/services/people/manage-person-sessions";
import { signIn as guessAt } from "@/lib/services/people/sign-in";

const ACCOUNT_PAGE = "/panel/settings/account";

let account: PanelAccount;

test.beforeAll(async () => {
  account = await panelAccount();
});

async function signIn(page: Page, email: string, password: string) {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Sends a form that leads to `path`, and presses Enter again before that page is there. @returns where anything was posted */
async function pressWhileItLeaves(page: Page, path: string, fillIn: () => Promise<void>): Promise<string[]> {
  const sent: string[] = [];
  const leaving = Promise.withResolvers<void>();
  const pressed = Promise.withResolvers<void>();
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
  });
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      leaving.resolve();
      await pressed.promise;
      await route.continue();
    },
  );
  await fillIn();
  await page.keyboard.press("Enter");
  await leaving.promise;
  for (let presses = 0; presses < 5; presses += 1) {
    await page.keyboard.press("Enter");
    // As long as an answer takes: what the press before sent is on its way.
    await fetch(`${suite.url}/api/v1/health/live`);
  }
  pressed.resolve();
  return sent;
}

/** Whether a session opens pages. */
async function opens(person: TestPerson): Promise<boolean> {
  const response = await fetch(suite.url + ACCOUNT_PAGE, { headers: cookieOf(person), redirect: "manual" });
  return response.status === 200;
}

test.describe("sign-in", () => {
  test("leads to the page that was asked for, and comes back to it after signing in", async ({ page, context }) => {
    const person = await account.addPerson("owner");
    await page.goto(`${ACCOUNT_PAGE}?tab=1`);
    await expect(page).toHaveURL(`/panel/sign-in?next=${encodeURIComponent(`${ACCOUNT_PAGE}?tab=1`)}`);
    await signIn(page, person.email, person.password);
    await expect(page).toHaveURL(`${ACCOUNT_PAGE}?tab=1`);
    await expect(page.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
    const cookie = (await context.cookies()).find(({ name }) => name === "panel.person");
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  });

  test("leads there also after another service refused, and says that it did", async ({ page }) => {
    const person = await account.addPerson("owner");
    const back = encodeURIComponent(`${suite.url}${ACCOUNT_PAGE}?tab=1`);
    await page.goto(`/panel/sign-in?callbackUrl=${back}&error=Callback`);
    await expect(page.locator("form").getByRole("alert")).toContainText("you turned back there");
    await signIn(page, person.email, person.password);
    await expect(page).toHaveURL(`${ACCOUNT_PAGE}?tab=1`);
  });

  test("says what a mailed link did where somebody else is signed in, rather than open their panel", async ({
    page,
    context,
  }) => {
    const [person, other] = [await account.addPerson("owner"), await account.addPerson("member")];
    await signInContext(context, person);
    const { link } = await createPasswordLink({ kind: "operator" }, { email: other.email });
    await page.goto(new URL(link).pathname + new URL(link).search);
    await page.getByLabel("New password").fill("seven green bottles");
    await page.getByRole("button", { name: "Set the password" }).click();
    await expect(page.getByRole("status").first()).toHaveText("Your password is changed.");
    await expect(page.getByRole("main")).toContainText(`This browser is signed in as ${person.email}`);
    await expectWellMade(page, "auth-signed-in");
    await page.getByRole("link", { name: "Go to the panel" }).click();
    await expect(page).toHaveURL(/\/panel$/);
    await page.goBack();
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn(page, other.email, "seven green bottles");
    await expect(page).toHaveURL(/\/panel$/);
  });

  test("leads staff back to their page, too, through their second factor", async ({ page, faults }) => {
    const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
    const person = await staffPerson(secret);
    const asked = "/staff/accounts?q=nobody";
    await page.goto(asked);
    await expect(page).toHaveURL(`/panel/sign-in?next=${encodeURIComponent(asked)}`);
    await signIn(page, person.email, person.password);
    await page.getByLabel("Code").fill(new TOTP({ secret }).generate());
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page).toHaveURL(asked);
    await expect(page.getByRole("heading", { level: 1, name: "Accounts" })).toBeVisible();
    // The browser itself reports the 401 that asks for the code.
    faults.errors = faults.errors.filter((text) => !text.includes("401"));
  });

  test("says the same of a wrong password and of an address that nobody has", async ({ page, faults }) => {
    const person = await account.addPerson("owner");
    await page.goto("/panel/sign-in");
    const alert = page.locator("form").getByRole("alert");
    await signIn(page, person.email, "this is not it, sadly");
    await expect(alert).toHaveText("E-mail address or password is wrong.");
    // Said again, though the words are the same: a screen reader reads what changes.
    await alert.evaluate(({ firstChild }) => Object.assign(window, { before: firstChild }));
    await signIn(page, "nobody@example.test", "this is not it, sadly");
    await page.waitForFunction(() => !(window as unknown as { before: Node }).before.isConnected);
    await expect(alert).toHaveText("E-mail address or password is wrong.");
    // The browser itself reports the 401.
    faults.errors = faults.errors.filter((text) => !text.includes("401"));
  });

  test("stays with what was typed where the service cannot be reached, and signs in with the next press", async ({
    page,
    faults,
  }) => {
    const person = await account.addPerson("owner");
    await page.goto("/panel/sign-in");
    await page.route("**/api/auth/**", (route) => route.abort());
    await signIn(page, person.email, person.password);
    const alert = page.locator("form").getByRole("alert");
    await expect(alert).toHaveText("The server could not be reached. Try again.");
    await expect(page.getByLabel("E-mail")).toHaveValue(person.email);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL("/panel");
    // The browser and next-auth report what did not answer.
    faults.errors = faults.errors.filter((text) => !/ERR_FAILED|CLIENT_FETCH_ERROR/.test(text));
  });

  test("begins again when the code comes too late after another service's sign-in", async ({ page, faults }) => {
    await page.goto(`/panel/sign-in?ticket=${"a".repeat(43)}`);
    await expect(page.getByText("No account yet?")).toHaveCount(0);
    await page.getByLabel("Code").fill("123456");
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.locator("form").getByRole("alert")).toHaveText("That took too long. Sign in again.");
    await expect(page.getByLabel("E-mail")).toBeVisible();
    await expect(page.getByRole("link", { name: "Sign up" })).toBeVisible();
    faults.errors = faults.errors.filter((text) => !text.includes("401"));
  });

  test("sends a code once for two presses of Enter: it is taken once, and a second try counts", async ({
    page,
    faults,
  }) => {
    await page.goto(`/panel/sign-in?ticket=${"b".repeat(43)}`);
    let sent = 0;
    const pressedTwice = Promise.withResolvers<void>();
    await page.route("**/callback/credentials*", async (route) => {
      sent += 1;
      await pressedTwice.promise;
      await route.continue();
    });
    await page.getByLabel("Code").fill("123456");
    await page.keyboard.press("Enter");
    await expect(page.locator("form [data-pending=true]")).toBeVisible();
    await page.keyboard.press("Enter");
    pressedTwice.resolve();
    await expect(page.locator("form").getByRole("alert")).toHaveText("That took too long. Sign in again.");
    await page.unrouteAll({ behavior: "wait" });
    expect(sent).toBe(1);
    faults.errors = faults.errors.filter((text) => !text.includes("401"));
  });

  test("signs in once, however often Enter is pressed until the next page is there", async ({ page }) => {
    const person = await account.addPerson("owner");
    await page.goto(`/panel/sign-in?next=${ACCOUNT_PAGE}`);
    const sent = await pressWhileItLeaves(page, ACCOUNT_PAGE, async () => {
      await page.getByLabel("E-mail").fill(person.email);
      await page.getByLabel("Password").fill(person.password);
    });
    await expect(page).toHaveURL(ACCOUNT_PAGE);
    expect(sent.filter((path) => path.includes("callback/credentials"))).toHaveLength(1);
    await page.unrouteAll({ behavior: "wait" });
  });

  test("locks after some wrong tries, also for the right password", async ({ page, faults }) => {
    const person = await account.addPerson("owner");
    await page.goto("/panel/sign-in");
    const notice = page.locator("form").getByRole("alert");
    for (let tries = 0; tries < 5; tries++) {
      const answered = page.waitForResponse((response) => response.url().includes("/callback/credentials"));
      await signIn(page, person.email, "this is not it, sadly");
      await answered;
      await expect(page.getByRole("button", { name: "Sign in" })).toBeEnabled();
    }
    await signIn(page, person.email, person.password);
    await expect(notice).toContainText("Too many tries");
    faults.errors = faults.errors.filter((text) => !text.includes("401"));
  });

  test("lets a person in by the browser whose session ended, while somebody else guesses at their address", async ({
    page,
  }) => {
    const person = await account.addPerson("owner");
    await page.goto("/panel/sign-in");
    await signIn(page, person.email, person.password);
    await expect(page).toHaveURL(/\/panel(\?.*)?$/);
    await prisma().userSession.updateMany({ where: { userId: person.userId }, data: { lastSeenAt: new Date(0) } });
    const elsewhere = { ip: null, userAgent: null, previousToken: null };
    const guess = () => guessAt({ email: person.email, password: "guess" }, elsewhere, async () => false);
    while ((await guess()).outcome !== "locked");
    await page.goto("/panel/sign-in");
    await signIn(page, person.email, person.password);
    await expect(page).toHaveURL(/\/panel(\?.*)?$/);
  });

  for (const next of [
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/api/v1/health",
    "javascript:alert(1)",
  ]) {
    test(`leads nowhere else: next=${next}`, async ({ page }) => {
      const person = await account.addPerson("owner");
      await page.goto(`/panel/sign-in?next=${encodeURIComponent(next)}`);
      await signIn(page, person.email, person.password);
      await expect(page).toHaveURL(/\/panel(\?.*)?$/);
    });
  }

  test("is there whatever its address says, words of the language's own objects too", async ({ request }) => {
    for (const word of ["__proto__", "constructor", "toString", "x&done=y&error=z"]) {
      for (const name of ["done", "error"]) {
        const response = await request.get(`/panel/sign-in?${name}=${word}`);
        expect(response.status(), `${name}=${word}`).toBe(200);
      }
    }
  });

  test("makes a new session and ends the one that the browser had", async ({ page, context }) => {
    const planted = await account.addPerson("owner");
    const person = await account.addPerson("owner");
    await page.goto("/panel/sign-in");
    await plantSession(context, planted);
    await signIn(page, person.email, person.password);
    await expect(page).toHaveURL(/\/panel$/);
    const cookie = (await context.cookies()).find(({ name }) => name === "panel.person");
    expect(cookie?.value).not.toBe(planted.sessionToken);
    expect(await opens(planted)).toBe(false);
  });

  test("takes no sign-in that another site sends: it lacks the form's own token", async () => {
    const person = await account.addPerson("owner");
    const body = new URLSearchParams({ email: person.email, password: person.password, csrfToken: "x", json: "true" });
    const response = await fetch(`${suite.url}/api/auth/callback/credentials`, {
      method: "POST",
      body,
      redirect: "manual",
    });
    expect(response.headers.getSetCookie().filter((cookie) => cookie.startsWith("panel.person="))).toEqual([]);
  });

  test("sees at once what another process revokes", async () => {
    const person = await account.addPerson("owner");
    expect(await opens(person)).toBe(true);
    await revokeOtherSessions({ kind: "operator" }, person.userId, null);
    expect(await opens(person)).toBe(false);
  });

  test("sets a new password by the operator's link, once", async ({ page }) => {
    const person = await account.addPerson("owner");
    const { link } = await createPasswordLink({ kind: "operator" }, { email: person.email });
    await page.goto(link);
    await page.getByLabel("New password").fill("seven green bottles");
    await page.getByRole("button", { name: "Set the password" }).click();
    await expect(page.getByRole("status")).toHaveText("Your password is changed. Sign in with the new one.");
    await page.goto(link);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link does not work any more");
    await page.goto(`/panel/sign-in?next=${ACCOUNT_PAGE}`);
    await signIn(page, person.email, "seven green bottles");
    await expect(page).toHaveURL(ACCOUNT_PAGE);
  });

  test("signs out for good: the old cookie opens nothing", async ({ browser }) => {
    const { page, context, person } = await signedInPage(browser, { account });
    await page.goto(ACCOUNT_PAGE);
    expect(await opens(person)).toBe(true);
    await page.getByRole("button", { name: `You: ${person.email}` }).click();
    await page.getByRole("button", { name: "Sign out", exact: true }).last().click();
    await expect(page).toHaveURL(/\/panel\/sign-in/);
    expect(await opens(person)).toBe(false);
    await context.close();
  });

  test("keeps nothing of the person in what the session endpoint tells scripts", async () => {
    const person = await account.addPerson("owner");
    const response = await fetch(`${suite.url}/api/auth/session`, { headers: cookieOf(person) });
    expect(JSON.stringify(await response.json())).not.toContain(person.sessionToken);
  });
});

test.describe("sign-up", () => {
  test("opens an account and goes into it", async ({ page }) => {
    await page.goto("/panel/sign-up");
    await page.getByLabel("Company").fill("Blue Ltd");
    await page.getByLabel("E-mail").fill(`new-${randomUUID()}@example.test`);
    await page.getByLabel("Password").fill("a boat under a bridge");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page).toHaveURL(/\/panel$/);
    await page.goto("/panel/settings/team");
    await expect(page.getByText("Who works in Blue Ltd")).toBeVisible();
  });

  test("opens one account, however often Enter is pressed until its panel is there", async ({ page }) => {
    await page.goto("/panel/sign-up");
    const sent = await pressWhileItLeaves(page, "/panel", async () => {
      await page.getByLabel("Company").fill("Blue Ltd");
      await page.getByLabel("E-mail").fill(`new-${randomUUID()}@example.test`);
      await page.getByLabel("Password").fill("a boat under a bridge");
    });
    await expect(page).toHaveURL(/\/panel$/);
    expect(sent.filter((path) => path === "/panel/sign-up")).toHaveLength(1);
    await page.unrouteAll({ behavior: "wait" });
  });

  test("says at the field what is wrong, and keeps what was typed", async ({ page }) => {
    const person = await account.addPerson("owner");
    await page.goto("/panel/sign-up");
    await page.getByLabel("Company").fill("Blue Ltd");
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password").fill("password1234");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByText("Is one of those that are guessed first")).toBeVisible();
    await expect(page.getByLabel("Company")).toHaveValue("Blue Ltd");
    await page.getByLabel("Password").fill("a boat under a bridge");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByText("Belongs to a user already")).toBeVisible();
  });

  test("keeps company and address over a page that is loaded anew, and never the password", async ({ page }) => {
    const email = `new-${randomUUID()}@example.test`;
    await page.goto("/panel/sign-up");
    await page.getByLabel("Company").fill("Blue Ltd");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill("a boat under a bridge");
    await page.reload();
    // All at once: which of them is missing tells why.
    const shown = () => page.evaluate(() => Object.fromEntries(new FormData(document.forms[0])));
    await expect.poll(shown).toEqual({ company: "Blue Ltd", email, password: "" });
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("boat");
    await page.goto("/panel/sign-in");
    await page.getByRole("link", { name: "Sign up" }).click();
    await expect(page.getByLabel("Company")).toHaveValue("");
  });
});

test.describe("pages before the panel", () => {
  const PAGES = [
    "sign-in",
    "sign-up",
    "forgot-password",
    "reset-password?token=x",
    "confirm-email",
    "change-email?token=x",
    "invitation/x",
  ];
  for (const path of PAGES) {
    test(`${path} is well made`, async ({ page }) => {
      await page.goto(`/panel/${path}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectWellMade(page, `auth-${path.replace(/[?/].*/, "")}`);
    });
  }

  test("sign-in is well made where it asks for a code", async ({ page }) => {
    await page.goto(`/panel/sign-in?ticket=${"c".repeat(43)}`);
    await expect(page.getByLabel("Code")).toBeVisible();
    await expectWellMade(page, "auth-sign-in-code");
  });

  test("no-account is well made, and erases who wants to go, after the password", async ({ page, context }) => {
    const person = await account.addPerson("member");
    await prisma().member.deleteMany({ where: { userId: person.userId } });
    await plantSession(context, person);
    await page.goto("/panel/no-account");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("No account to show");
    await expectWellMade(page, "auth-no-account");
    await ageSignIn(person);
    await page.getByRole("button", { name: "Erase me" }).click();
    await page.getByRole("alertdialog").getByRole("textbox").fill(person.email);
    await page.getByRole("alertdialog").getByRole("button", { name: "Erase me" }).click();
    const prompt = page.getByRole("dialog", { name: "Confirm that it is you" });
    await prompt.getByLabel("Password").fill(person.password);
    await prompt.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("status")).toHaveText("What was kept of you is erased.");
    expect(await prisma().user.count({ where: { id: person.userId } })).toBe(0);
  });
});
