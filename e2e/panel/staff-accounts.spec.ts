import { expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { expectNoSidewaysScroll, test } from "@/e2e/support/browser-test";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import {
  ageSignIn,
  endSessions,
  type PanelAccount,
  panelAccount,
  signedInPage,
  signInContext,
  staffPerson,
  type TestPerson,
} from "@/e2e/support/panel-browser";
import { suite } from "@/e2e/support/suite";
import { startTestService } from "@/e2e/support/test-service";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { giveCredits } from "@/lib/services/accounts/give-credits";
import { withdrawCredits } from "@/lib/services/accounts/withdraw-credits";

const PATH = "/staff/accounts";
const HOSTILE_NAME = `<img src=x onerror="window.hacked=1">\u202e"><script>window.hacked=1</script>`;

let account: PanelAccount;
let staff: TestPerson;

test.beforeAll(async () => {
  staff = await staffPerson();
});

test.beforeEach(async ({ context }) => {
  account = await panelAccount({ credits: 500 });
  await rename(account, "Blue Whale Logistics");
  await signInContext(context, staff);
});

const rename = ({ accountId }: PanelAccount, companyName: string) =>
  prisma().account.update({ where: { id: accountId }, data: { companyName } });

const open = (page: Page, { accountId }: PanelAccount = account) => page.goto(`${PATH}/${accountId}`);
const callStatus = async (apiKey: string, url = suite.url) => (await apiClient(url, apiKey).get("/account")).status;
const fact = (page: Page, name: string) =>
  page.locator("dl > div", { has: page.locator("dt", { hasText: new RegExp(`^${name}$`) }) }).first();

const lastLine = () =>
  prisma().auditEntry.findFirst({
    where: { accountId: account.accountId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });

/** Runs in the page. How much lower the first words of a value stand than its name, of the same font; in CSS pixels. */
function dropOfValue(line: Element): number {
  const [nameTop = 0, valueTop = 0] = ["dt", "dd"].map((tag) => {
    const words = document.createRange();
    words.selectNode(
      document.createTreeWalker(line.querySelector(tag) ?? line, NodeFilter.SHOW_TEXT).nextNode() ?? line,
    );
    return words.getBoundingClientRect().top;
  });
  return valueTop - nameTop;
}

/** Runs in the page. Sends the form again and again, as Enter does, until it is no longer there. */
async function pressUntilGone(form: Element): Promise<void> {
  const everyMs = 20;
  while (form.isConnected) {
    (form as HTMLFormElement).requestSubmit();
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Fills in the reason and presses the button that does it. */
async function giveReason(page: Page, reason: string, button: string): Promise<void> {
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: button }).click();
}

test.describe("an account, for staff", () => {
  test("keeps a reason that was written when the session ends, and says where staff sign in again", async ({
    page,
    context,
  }) => {
    const person = await staffPerson();
    await signInContext(context, person);
    await open(page);
    await page.getByRole("button", { name: "Suspend", exact: true }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("textbox").first().fill("Blue Whale Logistics");
    await endSessions(person);
    await giveReason(page, "Unpaid since spring", "Suspend the account");
    await expect(dialog.getByRole("alert").filter({ hasText: "You are signed out" })).toBeVisible();
    await expect(dialog.getByRole("link", { name: "Sign in in a new tab" })).toHaveAttribute(
      "href",
      `/panel/sign-in?next=${encodeURIComponent(`${PATH}/${account.accountId}`)}`,
    );
    await expect(dialog.getByLabel("Reason")).toHaveValue("Unpaid since spring");
  });

  test("asks for what an act wants with the focus in the first field", async ({ page }) => {
    await open(page);
    for (const [button, field] of [
      ["Change plan", /^Plan|Growth/],
      ["Change limit", "Requests per minute"],
      ["Grant", "Credits"],
      ["Withdraw", "Credits"],
    ] as const) {
      await page.getByRole("button", { name: button, exact: true }).click();
      const dialog = page.getByRole("alertdialog");
      const first = button === "Change plan" ? dialog.getByRole("button", { name: field }) : dialog.getByLabel(field);
      await expect(first, button).toBeFocused();
      // A click beside it closes it too, but never what somebody has written.
      if (button === "Withdraw") {
        await dialog.getByLabel("Reason").fill("A slip of the hand");
        await page.mouse.click(5, 5);
        await expect(dialog.getByLabel("Reason")).toHaveValue("A slip of the hand");
      }
      // No hand is as quick as this one: a click in the moment in which the dialog comes is not for it yet.
      await expect(async () => {
        if (button === "Grant") await page.mouse.click(5, 5);
        else await page.keyboard.press("Escape");
        await expect(dialog).toHaveCount(0, { timeout: 1_000 });
      }).toPass();
    }
  });

  test("is found by its name, a person's address and its id, and goes on page by page", async ({ page }) => {
    await rename(account, "Needle & Sons");
    const { email } = await account.addPerson("member");
    for (const search of ["needle & s", email, account.accountId]) {
      await page.goto(`${PATH}?${new URLSearchParams({ search })}`);
      await expect(page.getByRole("row").filter({ hasText: "Needle & Sons" })).toHaveCount(1);
    }
    await page.goto(PATH);
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("textbox", { name: "Search" }).fill("nobody at all");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByText("No account is like that")).toBeVisible();
    await rename(await panelAccount(), "Needle Two");
    // Other tests make accounts meanwhile: these two alone are asked for.
    await page.goto(`${PATH}?limit=1&search=needle`);
    await expect(page.getByRole("row").nth(1)).toContainText("Needle Two");
    await page.getByRole("link", { name: "Next", exact: true }).click();
    await expect(page).toHaveURL(/cursor=/);
    await expect(page.getByRole("row").filter({ hasText: "Needle & Sons" })).toBeVisible();
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(page.getByRole("row").nth(1)).toContainText("Needle Two");
  });

  test("has large grants confirmed by a second person, seen where staff begin and on its page", async ({
    page,
    context,
  }) => {
    const colleague = await staffPerson();
    const grant = { accountId: account.accountId, amount: 7_777, reason: "Paid by invoice" };
    await giveCredits({ kind: "staff", userId: staff.userId }, grant, 100);
    await open(page);
    const grants = page.getByRole("region", { name: "Grants by two" });
    await expect(grants).toContainText("Somebody else has to decide.");
    await expect(grants.getByRole("button", { name: /^(Confirm|Refuse)/ })).toHaveCount(0);
    await expect(
      grants.getByRole("button", { name: "Take back: 7,777 credits for Blue Whale Logistics" }),
    ).toBeVisible();
    await signInContext(context, colleague);
    await page.goto("/staff");
    const waiting = page.getByRole("listitem").filter({ hasText: account.accountId });
    await expect(waiting).toContainText("7,777 credits");
    await expect(waiting).toContainText("Paid by invoice");
    await open(page);
    await expectWellMade(page, "staff-account-grants");
    await grants.getByRole("button", { name: "Confirm" }).click();
    await giveReason(page, "Seen on the bank account", "Give the credits");
    await expect(fact(page, "Credits")).toContainText("8,277");
    await expect(grants).toContainText("Seen on the bank account");
    await page.goto("/staff");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Verifications");
    await expect(waiting).toHaveCount(0);
  });

  test("changes its plan for a reason, which stands in the audit log with the state before and after", async ({
    page,
  }) => {
    await open(page);
    await expect(page).toHaveTitle("Blue Whale Logistics · AI Processing Service");
    await page.getByRole("button", { name: "Change plan" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Change the plan" });
    await dialog.getByRole("button", { name: /Plan$/ }).first().click();
    await page.getByRole("option", { name: "Scale" }).click();
    await dialog.getByRole("button", { name: "Change plan" }).click();
    await expect(dialog.getByLabel("Reason")).toBeFocused();
    await giveReason(page, "no", "Change plan");
    await expect(dialog.getByText(/at least 3/)).toBeVisible();
    await giveReason(page, "Contract signed", "Change plan");
    await expectToast(page, "Plan changed");
    await expect(fact(page, "Plan")).toContainText("Scale");
    expect(await lastLine()).toMatchObject({
      action: "account.set-plan",
      actorKind: "staff",
      actorId: staff.userId,
      reason: "Contract signed",
      before: { planId: "growth" },
      after: { planId: "scale" },
    });
    const log = page.getByRole("table", { name: "Audit log" });
    await expect(log.getByText("Plan changed")).toHaveAttribute("title", /^Plan changed \(account\./);
    // Nothing is behind the lines of an account's page: what is not in them, is nowhere.
    for (const width of [390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await expect(log.getByText("Contract signed"), `at ${width} px`).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
  });

  test("is given credits and has some taken away, never more than are free", async ({ page }) => {
    await open(page);
    await page.getByRole("button", { name: "Grant" }).click();
    await expect(page.getByText("500 are there.")).toBeVisible();
    await expect(page.getByRole("spinbutton", { name: "Credits" })).toHaveValue("");
    await page.getByRole("spinbutton", { name: "Credits" }).fill("250");
    await giveReason(page, "Sorry for the outage", "Grant credits");
    await expectToast(page, "Credits granted");
    await expect(fact(page, "Credits")).toContainText("750");
    await page.getByRole("button", { name: "Withdraw" }).click();
    await expect(page.getByText("750 are free.")).toBeVisible();
    await page.getByRole("spinbutton", { name: "Credits" }).fill("751");
    await giveReason(page, "Granted twice", "Withdraw credits");
    await expect(page.getByText("Must be at most 750")).toBeVisible();
    await expect(page.getByRole("spinbutton", { name: "Credits" })).toBeFocused();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Withdraw" }).click();
    await expect(page.getByRole("spinbutton", { name: "Credits" })).toBeVisible();
    await expect(page.getByText("Must be at most 750")).toHaveCount(0);
    await page.getByRole("spinbutton", { name: "Credits" }).fill("250");
    await giveReason(page, "Granted twice", "Withdraw credits");
    await expectToast(page, "Credits withdrawn");
    await expect(fact(page, "Credits")).toContainText("500");
    const ledger = page.getByRole("table", { name: "Credits given and taken" });
    await expect(ledger.getByRole("row").nth(1)).toContainText("−250");
    await expect(ledger.getByRole("row").nth(2)).toContainText("Sorry for the outage");
    expect(await lastLine()).toMatchObject({ before: { credits: 750 }, after: { credits: 500 } });
  });

  test("is given credits once, however often Enter is pressed until the question is gone", async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await open(page);
    await page.getByRole("button", { name: "Grant" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Grant credits" });
    await dialog.getByLabel("Reason").fill("Sorry for the outage");
    await dialog.getByRole("spinbutton", { name: "Credits" }).fill("250");
    await dialog.locator("form").evaluate(pressUntilGone);
    await expectToast(page, "Credits granted");
    await page.reload();
    await expect(fact(page, "Credits")).toContainText("750");
    await page.emulateMedia({ reducedMotion: "reduce" });
  });

  test("keeps a plan and a rate limit that a colleague set meanwhile, and says so", async ({ page }) => {
    const { accountId } = account;
    await open(page);
    await page.getByRole("button", { name: "Change plan" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Change the plan" });
    await dialog.getByRole("button", { name: /Plan$/ }).first().click();
    await page.getByRole("option", { name: "Starter" }).click();
    await prisma().account.update({ where: { id: accountId }, data: { planId: "scale", rateLimitPerMinute: 50 } });
    await giveReason(page, "Asked for", "Change plan");
    await expectToast(page, "the account was moved to Scale by somebody else meanwhile");
    await giveReason(page, "Asked for", "Change plan");
    await expectToast(page, "the account was moved to Scale by somebody else meanwhile");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(fact(page, "Plan")).toContainText("Scale");

    await page.getByRole("button", { name: "Change limit" }).click();
    await page.getByLabel("Requests per minute").fill("70");
    await prisma().account.update({ where: { id: accountId }, data: { rateLimitPerMinute: null } });
    await giveReason(page, "Load test", "Change limit");
    await expectToast(page, "the limit was set to the plan's by somebody else meanwhile");
    expect(await prisma().account.findUnique({ where: { id: accountId } })).toMatchObject({
      planId: "scale",
      rateLimitPerMinute: null,
    });
  });

  test("keeps its plan when it took back what it asked for while staff looked, and says so", async ({ page }) => {
    const { accountId } = account;
    const asked = { id: newId("accountRequest"), accountId, kind: "plan", planId: "scale" };
    await prisma().accountRequest.create({ data: asked });
    await open(page);
    await page.getByRole("button", { name: "Change plan" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Change the plan" });
    await dialog.getByRole("button", { name: /Plan$/ }).first().click();
    await page.getByRole("option", { name: "Scale" }).click();
    await prisma().accountRequest.update({ where: { id: asked.id }, data: { state: "withdrawn" } });
    await giveReason(page, "As asked", "Change plan");
    await expectToast(page, "what was asked for was taken back by somebody else meanwhile");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(fact(page, "Plan")).toContainText("Growth");
  });

  test("is not given twice what it asked for, by two who look at it at once", async ({ page }) => {
    const { accountId } = account;
    const asked = { id: newId("accountRequest"), accountId, kind: "credits", credits: 15_000 };
    await prisma().accountRequest.create({ data: asked });
    await open(page);
    await page.getByRole("button", { name: "Grant" }).click();
    await expect(page.getByRole("spinbutton", { name: "Credits" })).toHaveValue("15000");
    const colleague = await staffPerson();
    await giveCredits({ kind: "staff", userId: colleague.userId }, { accountId, amount: 15_000, reason: "Paid" }, null);
    await giveReason(page, "Paid", "Grant credits");
    await expectToast(page, "what was asked for was granted by somebody else meanwhile");
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await expect(fact(page, "Credits")).toContainText("15,500");
    await page.getByRole("button", { name: "Grant" }).click();
    await expect(page.getByRole("spinbutton", { name: "Credits" })).toHaveValue("");
  });

  test("has no credits taken twice by two who look at it at once", async ({ page }) => {
    const { accountId } = account;
    await open(page);
    await page.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("spinbutton", { name: "Credits" }).fill("100");
    const colleague = await staffPerson();
    const mistake = { accountId, amount: 100, reason: "Given by mistake" };
    await withdrawCredits({ kind: "staff", userId: colleague.userId }, mistake);
    await giveReason(page, "Given by mistake", "Withdraw credits");
    await expectToast(page, "the account had 100 credits withdrawn by somebody else meanwhile");
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await expect(fact(page, "Credits")).toContainText("400");
    await page.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("spinbutton", { name: "Credits" }).fill("50");
    await giveReason(page, "Given by mistake, too", "Withdraw credits");
    await expectToast(page, "Credits withdrawn");
    await expect(fact(page, "Credits")).toContainText("350");
  });

  test("gets a rate limit of its own and the plan's again", async ({ page }) => {
    const limit = async () =>
      (await apiClient(suite.url, account.apiKey).get("/account")).headers.get("ratelimit-limit");
    const change = async (value: string) => {
      await page.getByRole("button", { name: "Change limit" }).click();
      await page.getByLabel("Requests per minute").fill(value);
      await giveReason(page, "Load test", "Change limit");
    };
    await open(page);
    await change("7");
    await expect(fact(page, "Rate limit")).toContainText("7 per key and minute of its own");
    expect(await limit()).toBe("7");
    await page.getByRole("button", { name: "Change plan" }).click();
    await expect(page.getByText("The account keeps the rate limit of its own.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("alertdialog")).toHaveCount(0);
    await change("");
    await expect(fact(page, "Rate limit")).toContainText("1,200 per key and minute as the plan says");
    expect(await limit()).toBe("1200");
  });

  test("is suspended by name: the API closes at once in every process, its people read it, and it is restored", async ({
    page,
    browser,
  }) => {
    const { PORT: _port, DATABASE_URL = "", OPENAI_BASE_URL = "", ...shared } = suite.variables;
    const second = await startTestService({ databaseUrl: DATABASE_URL, modelUrl: OPENAI_BASE_URL, settings: shared });
    try {
      const everywhere = () => Promise.all([suite.url, second.url].map((url) => callStatus(account.apiKey, url)));
      expect(await everywhere()).toEqual([200, 200]);
      await open(page);
      await page.getByRole("button", { name: "Suspend" }).click();
      const dialog = page.getByRole("alertdialog", { name: "Suspend this account?" });
      // Nobody is promised a mail by a service without a mail server.
      await expect(dialog).toContainText("This service sends no mail: nobody is told of it.");
      await dialog.getByLabel("Reason").fill("Bills are open");
      await expect(dialog.getByRole("button", { name: "Suspend the account" })).toBeDisabled();
      await dialog.getByLabel(/^Type/).fill("Blue Whale Logistics");
      await dialog.getByRole("button", { name: "Suspend the account" }).click();
      await expectToast(page, "Account suspended");
      expect(await everywhere()).toEqual([403, 403]);
      const refused = await apiClient(suite.url, account.apiKey).get("/account");
      expect(refused.body).toMatchObject({ error: { code: "B2B_NOT_VERIFIED" } });
      await expect(page.getByText("This account is suspended")).toBeVisible();
      await expect(page.getByText(`by ${staff.email}: Bills are open`)).toBeVisible();

      const owner = await signedInPage(browser, { account });
      await owner.page.goto("/panel");
      await expect(owner.page.getByRole("complementary", { name: "Suspended account" })).toContainText("403");
      await owner.page.getByRole("link", { name: "See why" }).click();
      await expect(owner.page.getByRole("blockquote")).toContainText("Bills are open");
      await owner.page.goto("/panel/api-b2b/api-keys");
      await expect(owner.page.getByRole("button", { name: "Create key" })).toHaveCount(0);

      await page.getByRole("button", { name: "Restore" }).click();
      await giveReason(page, "All is paid", "Restore the account");
      await expectToast(page, "Account restored");
      expect(await everywhere()).toEqual([200, 200]);
      await owner.page.reload();
      await expect(owner.page.getByRole("button", { name: "Create key" }).first()).toBeVisible();
      await expect(owner.page.getByRole("complementary", { name: "Suspended account" })).toHaveCount(0);
      await owner.context.close();
    } finally {
      await second.close();
    }
  });

  test("asks for the password before a suspension when the sign-in is an old one", async ({ page, context }) => {
    const other = await staffPerson();
    await signInContext(context, other);
    await ageSignIn(other);
    await open(page);
    await page.getByRole("button", { name: "Grant" }).click();
    await page.getByRole("spinbutton", { name: "Credits" }).fill("1");
    await giveReason(page, "A test", "Grant credits");
    const prompt = page.getByRole("dialog", { name: "Confirm that it is you" });
    await prompt.getByLabel("Password").fill(other.password);
    await prompt.getByRole("button", { name: "Confirm" }).click();
    await expectToast(page, "Credits granted");
    await expect(fact(page, "Credits")).toContainText("501");
  });

  test("says clearly when a colleague was quicker", async ({ page }) => {
    await prisma().account.update({ where: { id: account.accountId }, data: { verificationStatus: "suspended" } });
    await open(page);
    await prisma().account.update({ where: { id: account.accountId }, data: { verificationStatus: "verified" } });
    await page.getByRole("button", { name: "Restore" }).click();
    await giveReason(page, "All is paid", "Restore the account");
    await expect(page.getByText("The account is not suspended.").last()).toBeVisible();
  });

  test("shows people and keys without their secrets, and hostile names as text", async ({ page }) => {
    await rename(account, HOSTILE_NAME);
    await account.addPerson("admin");
    await open(page);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("<img src=x");
    await expect(page.getByRole("table", { name: "People" }).getByRole("row")).toHaveCount(3);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    const { hint } = await prisma().apiKey.findFirstOrThrow({ where: { projectId: account.projectId } });
    const html = await page.content();
    expect(html).not.toContain(account.apiKey);
    expect(html).not.toMatch(/whsec_|argon2|password_hash|totp/i);
    expect(html).not.toContain(`…${hint}`);
    await page.goto(PATH);
    await expect(page.getByRole("row").filter({ hasText: "<img src=x" }).first()).toBeVisible();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });

  test("is not found when there is none", async ({ page, faults }) => {
    await open(page, { ...account, accountId: newId("account") });
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
    // The browser notes a page that is not there.
    faults.errors = faults.errors.filter((text) => !text.includes("404"));
  });

  test("keeps the navigation where the page breaks, and shows it once it can be shown again", async ({
    page,
    faults,
  }) => {
    const { accountId } = account;
    const setPlan = (planId: string) => prisma().account.update({ where: { id: accountId }, data: { planId } });
    await setPlan("none-that-is-known");
    await open(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This page broke");
    await expect(page.getByRole("navigation", { name: "Staff" }).getByRole("link", { name: "Accounts" })).toBeVisible();
    await expectWellMade(page, "staff-broken");
    await setPlan("growth");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Blue Whale Logistics");
    // The browser notes the page that broke.
    faults.errors.splice(0);
  });

  test("has each name on the line of its value, also beside a button", async ({ page }) => {
    await open(page);
    for (const name of ["Verification", "Plan", "Rate limit", "Credits", "API keys"]) {
      expect(await fact(page, name).evaluate(dropOfValue), name).toBeCloseTo(0, 0);
    }
  });

  test("has room for each id and the button beside it", async ({ page }) => {
    await page.goto(PATH);
    const cells = page.getByRole("cell").filter({ has: page.getByRole("button", { name: /^Copy the id of/ }) });
    await expect(cells.first()).toBeVisible();
    const beyond = await cells.evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
    expect(beyond).toBe(0);
  });

  test("is well made in the list, also an empty one", async ({ page }) => {
    await page.goto(PATH);
    await expectWellMade(page, "staff-accounts");
    await page.goto(`${PATH}?search=nobody-at-all`);
    await expectWellMade(page, "staff-accounts-empty");
  });

  test("is well made on its own page, also while it is being suspended", async ({ page }) => {
    await open(page);
    await expectWellMade(page, "staff-account");
    await page.getByRole("button", { name: "Suspend" }).click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await expectWellMade(page, "staff-account-suspend");
  });

  test("is well made for its owner once it is suspended", async ({ browser }) => {
    await prisma().account.update({ where: { id: account.accountId }, data: { verificationStatus: "suspended" } });
    const owner = await signedInPage(browser, { account });
    await owner.page.goto("/panel/api-b2b/api-keys");
    await expectWellMade(owner.page, "suspended-owner");
    await owner.context.close();
  });
});
