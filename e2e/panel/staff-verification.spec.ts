import { type BrowserContext, expect, type Page } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { test } from "@/e2e/support/browser-test";
import { expectToast } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import {
  type PanelAccount,
  panelAccount,
  signedInPage,
  signInContext,
  staffPerson,
  type TestPerson,
} from "@/e2e/support/panel-browser";
import { suite } from "@/e2e/support/suite";
import type { CompanyData } from "@/lib/contracts/verification";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import type { VerificationDecision } from "@/lib/domain/verification";
import { decideVerification } from "@/lib/services/verification/decide-verification";
import { submitVerification } from "@/lib/services/verification/submit-verification";

const QUEUE = "/staff/verifications";
const OWN_PAGE = "/panel/api-b2b/verification";
const HOUR_MS = 3_600_000;
const HOSTILE = `<img src=x onerror="window.hacked=1">\u202e"><script>window.hacked=1</script>`;
const COMPANY: CompanyData = {
  legalName: "Blue Whale Logistics GmbH",
  registrationNumber: "HRB 12345 B",
  vatId: "DE123456789",
  street: "Hafenstraße 4",
  postalCode: "20457",
  city: "Hamburg",
  country: "DE",
  website: "https://blue-whale.example",
  contactName: "Ann Berg",
  contactEmail: "ann@blue-whale.example",
  contactPhone: "+49 40 1234",
  useCase: "Reading delivery notes and answering questions of our drivers about them.",
};

/** An account that is not verified yet, under a name of its own. */
async function newCompany(companyName: string): Promise<PanelAccount> {
  const account = await panelAccount();
  await prisma().account.update({
    where: { id: account.accountId },
    data: { companyName, verificationStatus: "unsubmitted", verifiedAt: null },
  });
  return account;
}

/** Hands data in behind the browser's back. */
async function handIn(account: PanelAccount, changes: Partial<CompanyData> = {}, hoursAgo = 0): Promise<void> {
  const at = new Date(Date.now() - hoursAgo * HOUR_MS);
  await submitVerification({ kind: "owner" }, account, { ...COMPANY, ...changes }, at);
}

/** Decides behind the browser's back. */
async function decide({ accountId }: PanelAccount, decision: VerificationDecision, message?: string): Promise<void> {
  const { id } = await prisma().verificationSubmission.findFirstOrThrow({ where: { accountId, status: "pending" } });
  await decideVerification({ kind: "operator" }, { submissionId: id, decision, fieldMessages: {}, message });
}

async function newStaff(context: BrowserContext): Promise<TestPerson> {
  await context.clearCookies();
  const person = await staffPerson();
  await signInContext(context, person);
  return person;
}

const auditOf = (accountId: string) =>
  prisma().auditEntry.findMany({
    where: { accountId, action: { startsWith: "verification." } },
    orderBy: { id: "asc" },
  });

const open = async (page: Page, { accountId }: PanelAccount) => page.goto(`${QUEUE}/${accountId}`);

test.beforeEach(async ({ context }) => {
  await newStaff(context);
});

test.describe("verification", () => {
  test("goes from the form over a question and its answer to a key that works", async ({ page, browser }) => {
    const account = await newCompany("Journey Ltd");
    const owner = await signedInPage(browser, { account });
    await owner.page.goto(OWN_PAGE);
    await fillIn(owner.page);
    await owner.page.getByRole("button", { name: /hand|submit/i }).click();
    await expect(owner.page.getByText("being checked").first()).toBeVisible();

    await page.goto(QUEUE);
    await page.getByRole("link", { name: "Verification of Journey Ltd" }).click();
    await expect(page.getByText("Blue Whale Logistics GmbH")).toBeVisible();
    await expect(page.getByRole("timer")).toContainText("left");
    await page.getByRole("button", { name: "Ask for more" }).click();
    await page.getByLabel("Registration number").fill("This number is not in the register. Is it complete?");
    await page.getByRole("button", { name: "Send the questions" }).click();
    await expectToast(page, "Asked for more");
    await expect(page.getByText("This number is not in the register.").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Approve" })).toHaveCount(0);

    await owner.page.goto(OWN_PAGE);
    await expect(owner.page.getByText("This number is not in the register.").first()).toBeVisible();
    await owner.page.getByLabel("Registration number").fill("HRB 67890 B");
    await owner.page.getByRole("button", { name: /hand|submit|answer/i }).click();
    await expect(owner.page.getByText("being checked").first()).toBeVisible();

    await open(page, account);
    await expect(page.getByText("HRB 67890 B").first()).toBeVisible();
    await expect(page.getByText(/Before:/).first()).toContainText("HRB 12345 B");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("button", { name: "Approve the company" }).click();
    await expectToast(page, "Approved");
    await expect(page.getByRole("button", { name: "Ask for more" })).toHaveCount(0);

    await owner.page.goto("/panel/api-b2b/api-keys");
    await owner.page.getByRole("button", { name: "Create key" }).first().click();
    const dialog = owner.page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("First");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const code = owner.page.getByRole("dialog").locator("code").first();
    await expect(code).toHaveText(/^bld_/);
    const answer = await apiClient(suite.url, (await code.textContent()) ?? "").get("/account");
    expect(answer.status).toBe(200);
    await owner.context.close();

    expect((await auditOf(account.accountId)).map(({ action }) => action)).toEqual([
      "verification.submit",
      "verification.ask",
      "verification.submit",
      "verification.approve",
    ]);
  });

  test("is rejected with a reason alone, which the owner reads", async ({ page, browser }) => {
    const account = await newCompany("Turned Away Ltd");
    await handIn(account);
    await open(page, account);
    await page.getByRole("button", { name: "Reject" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Reject Turned Away Ltd?" });
    await dialog.getByRole("button", { name: "Reject the company" }).click();
    await expect(dialog.getByLabel("Reason")).toBeFocused();
    await dialog.getByLabel("Reason").fill("We do not serve this line of business.");
    await dialog.getByRole("button", { name: "Reject the company" }).click();
    await expectToast(page, "Rejected");
    const owner = await signedInPage(browser, { account });
    await owner.page.goto(OWN_PAGE);
    await expect(owner.page.getByText("We do not serve this line of business.").first()).toBeVisible();
    await owner.context.close();
    expect((await auditOf(account.accountId)).at(-1)).toMatchObject({
      action: "verification.reject",
      actorKind: "staff",
      reason: "We do not serve this line of business.",
      before: { verification: "pending" },
      after: { verification: "rejected" },
    });
  });

  test("wants a word about what is missing before it asks", async ({ page }) => {
    const account = await newCompany("Silent Ltd");
    await handIn(account, { useCase: "Delivery notes, read and summed up.\n".repeat(50) });
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, account);
    await expect(page).toHaveTitle("Silent Ltd: verification · AI Processing Service");
    await page.getByRole("button", { name: "Ask for more" }).click();
    await expect(page.getByLabel("Legal name")).toBeFocused();
    await expect(page.getByLabel("Legal name")).toBeInViewport();
    await expect(page.getByText("Given: Germany (DE)")).toBeVisible();
    await expect(page.getByLabel("What the service is used for")).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole("button", { name: "Send the questions" }).click();
    await expect(page.getByText("Must say what is missing or why.")).toBeVisible();
    await page.getByLabel("Legal name").fill("Which register?");
    await page.getByRole("link", { name: "Accounts" }).click();
    await page
      .getByRole("alertdialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Stay" })
      .click();
    await expect(page.getByLabel("Legal name")).toHaveValue("Which register?");
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Ask for more" })).toBeFocused();
    expect(await auditOf(account.accountId)).toHaveLength(1);
  });

  test("is decided once: who comes second is told so, and nothing changes", async ({ page, browser }) => {
    const account = await newCompany("Twice Ltd");
    await handIn(account);
    const { email } = await newStaff(page.context());
    await open(page, account);
    const colleague = await browser.newContext({ baseURL: suite.url });
    await newStaff(colleague);
    const theirs = await colleague.newPage();
    await open(theirs, account);
    for (const each of [page, theirs]) await each.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("button", { name: "Approve the company" }).click();
    await expectToast(page, "Approved");
    await theirs.getByRole("button", { name: "Approve the company" }).click();
    await expectToast(theirs, `not waiting any more: ${email} approved it.`);
    expect((await auditOf(account.accountId)).map(({ action }) => action)).toEqual([
      "verification.submit",
      "verification.approve",
    ]);
    await colleague.close();
  });

  test("tells who lost their rights in the middle of it, keeps what they wrote, and decides nothing", async ({
    page,
  }) => {
    const account = await newCompany("Left Ltd");
    await handIn(account);
    const { userId } = await newStaff(page.context());
    await open(page, account);
    await page.getByRole("button", { name: "Reject" }).click();
    await page.getByLabel("Reason").fill("The register does not know it.");
    const lose = async (data: { isStaff?: boolean; totpSecretEncrypted?: null }, words: string) => {
      await prisma().user.update({ where: { id: userId }, data });
      await page.getByRole("button", { name: "Reject the company" }).click();
      await expectToast(page, words);
      await expect(page.getByLabel("Reason")).toHaveValue("The register does not know it.");
    };
    await lose({ totpSecretEncrypted: null }, "Staff need a second factor, and you have none. Nothing was changed.");
    await lose({ isStaff: false }, "You are not one of the staff any more. Nothing was changed.");
    expect((await auditOf(account.accountId)).map(({ action }) => action)).toEqual(["verification.submit"]);
  });

  test("shows what is overdue first and in words, and what was decided under its own tab", async ({ page }) => {
    const late = await newCompany("Late Ltd");
    const early = await newCompany("Early Ltd");
    await handIn(early);
    await handIn(late, {}, 50);
    await page.goto(QUEUE);
    const rows = page.getByRole("row");
    await expect(rows.filter({ hasText: "Late Ltd" })).toContainText("Overdue, was due 2 h ago");
    await expect(rows.filter({ hasText: "Early Ltd" })).toContainText("in 47 h");
    const names = await rows.allTextContents();
    const place = (name: string) => names.findIndex((text) => text.includes(name));
    expect(place("Late Ltd")).toBeLessThan(place("Early Ltd"));
    await page.getByRole("link", { name: "Rejected" }).click();
    await expect(page).toHaveURL(/status=rejected/);
    await expect(rows.filter({ hasText: "Late Ltd" })).toHaveCount(0);
    await page.goto(`${QUEUE}?status=nonsense`);
    await expect(page.getByText("This filter cannot be read")).toBeVisible();
    await page.goto(`${QUEUE}?cursor=bent`);
    await expect(rows.filter({ hasText: "Late Ltd" })).toBeVisible();
  });

  test("leads from one company that waits to the next, also once the one was decided", async ({ page }) => {
    const [first, second] = [await newCompany("Early Bird Ltd"), await newCompany("Later Bird Ltd")];
    await handIn(first, {}, 2_000);
    await handIn(second, {}, 1_999.9);
    await open(page, first);
    await expect(page.getByRole("link", { name: "Next: Later Bird Ltd" })).toBeVisible();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("button", { name: "Approve the company" }).click();
    await expectToast(page, "Approved");
    await page.getByRole("link", { name: "Next: Later Bird Ltd" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Later Bird Ltd");
    await decide(second, "reject", "No such company.");
  });

  test("lists what was decided in the order in which it was handed in, newest first, whichever was decided first", async ({
    page,
  }) => {
    const [oldest, newest, middle] = await Promise.all([
      newCompany("Oldest Ltd"),
      newCompany("Newest Ltd"),
      newCompany("Middle Ltd"),
    ]);
    for (const [account, hoursAgo] of [
      [oldest, 30],
      [newest, 10],
      [middle, 20],
    ] as const) {
      await handIn(account, {}, hoursAgo);
      await decide(account, "reject", "We do not serve this line of business.");
    }
    await page.goto(`${QUEUE}?status=rejected`);
    await expect(page.getByText("Last handed in first")).toBeVisible();
    const rows = await page
      .getByRole("row")
      .filter({ hasText: /Oldest|Newest|Middle/ })
      .allTextContents();
    expect(rows.map((text) => /Oldest|Newest|Middle/.exec(text)?.[0])).toEqual(["Newest", "Middle", "Oldest"]);
  });

  test("is named whole in the question, however long its name", async ({ page }) => {
    const account = await newCompany("Grundstücksverkehrsgenehmigung".repeat(6));
    await handIn(account);
    await open(page, account);
    await page.getByRole("button", { name: "Reject" }).click();
    const name = page.getByRole("alertdialog").getByRole("heading");
    expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });

  test("shows hostile company data as text", async ({ page }) => {
    const account = await newCompany(HOSTILE);
    await handIn(account, { legalName: HOSTILE, useCase: HOSTILE.repeat(20).slice(0, 2_000) });
    await page.goto(QUEUE);
    await expect(page.getByRole("row").filter({ hasText: "<img src=x" }).first()).toBeVisible();
    await open(page, account);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("<img src=x");
    await page.getByRole("button", { name: "Ask for more" }).click();
    await expect(page.getByLabel("Legal name")).toBeVisible();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });

  test("of a company that is not there is not found", async ({ page, faults }) => {
    await page.goto(`${QUEUE}/${newId("account")}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
    // The browser notes a page that is not there.
    faults.errors = faults.errors.filter((text) => !text.includes("404"));
  });

  test("is well made, as a queue and decided", async ({ page }) => {
    const account = await newCompany("Blue Whale Logistics");
    await handIn(account, {}, 60);
    await page.goto(QUEUE);
    await expectWellMade(page, "staff-verifications");
    await decide(account, "approve");
    for (const name of ["A company with a name that is far too long for the column of a table", "Nordlicht"]) {
      const another = await newCompany(name);
      await handIn(another, {}, 30);
      await decide(another, "approve");
    }
    await page.goto(`${QUEUE}?status=approved`);
    await expect(page.getByRole("link", { name: "Verification of Nordlicht" })).toBeVisible();
    await expectWellMade(page, "staff-verifications-approved");
  });

  test("is well made while asking and with an answer to a question", async ({ page }) => {
    const account = await newCompany("Blue Whale Logistics");
    await handIn(account, { registrationNumber: "HRB 1" }, 60);
    await open(page, account);
    await page.getByRole("button", { name: "Ask for more" }).click();
    await expectWellMade(page, "staff-verification-ask");
    await page.getByLabel("Registration number").fill("Please send the whole number.");
    await page.getByRole("button", { name: "Send the questions" }).click();
    await expect(page.getByText("Please send the whole number.").first()).toBeVisible();
    await handIn(account);
    await open(page, account);
    await expectWellMade(page, "staff-verification");
  });
});

async function fillIn(page: Page): Promise<void> {
  const texts: [string | RegExp, string | undefined][] = [
    ["Legal name", COMPANY.legalName],
    ["Registration number", COMPANY.registrationNumber],
    ["Website", COMPANY.website],
    ["Street and number", COMPANY.street],
    ["Postal code", COMPANY.postalCode],
    ["City", COMPANY.city],
    ["Contact person", COMPANY.contactName],
    ["Contact e-mail", COMPANY.contactEmail],
    [/^What the service is used for/, COMPANY.useCase],
  ];
  for (const [label, text] of texts) await page.getByRole("textbox", { name: label }).fill(text ?? "");
  await page.getByRole("button", { name: /Country/ }).click();
  await page.getByRole("option", { name: "Germany", exact: true }).click();
}
