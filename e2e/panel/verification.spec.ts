import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { expectToast, refreshBySight } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import {
  endSessions,
  type PanelAccount,
  panelAccount,
  plantSession,
  signedInPage,
  signInAgain,
  signInContext,
  staffPerson,
  type TestPerson,
} from "@/e2e/support/panel-browser";
import type { VerificationDecisionInput } from "@/lib/contracts/verification";
import { prisma } from "@/lib/db/prisma";
import { decideVerification } from "@/lib/services/verification/decide-verification";

const PATH = "/panel/api-b2b/verification";
const HOUR_MS = 3_600_000;
const HOSTILE = `<img src=x onerror="window.hacked=1">\u202e"><script>window.hacked=1</script>`;
const COMPANY = {
  "Legal name": "Nordlicht Logistik GmbH",
  "Registration number": "HRB 4711",
  Website: "https://nordlicht.example",
  "Street and number": "Am Kai 3",
  "Postal code": "20457",
  City: "Hamburg",
  "Contact person": "Ada Berg",
  "Contact e-mail": "ada@nordlicht.example",
  "What the service is used for": "Freight papers, read and summed up for our dispatchers.",
};

let account: PanelAccount;
let owner: TestPerson;
let staff: TestPerson;

test.beforeAll(async () => {
  staff = await staffPerson();
});

test.beforeEach(async ({ context }) => {
  account = await panelAccount();
  await prisma().account.update({
    where: { id: account.accountId },
    data: { verificationStatus: "unsubmitted", verifiedAt: null },
  });
  owner = await account.addPerson("owner");
  await signInContext(context, owner);
});

async function fill(page: Page, company: Record<string, string> = COMPANY) {
  for (const [label, text] of Object.entries(company)) await page.getByRole("textbox", { name: label }).fill(text);
  await page.getByRole("button", { name: /Country/ }).click();
  await page.getByRole("option", { name: "Germany" }).click();
}

async function handIn(page: Page, company?: Record<string, string>) {
  await page.goto(PATH);
  await fill(page, company);
  await page.getByRole("button", { name: "Hand in", exact: true }).click();
  await expect(page.getByRole("timer")).toBeVisible();
}

async function decide(decision: Omit<VerificationDecisionInput, "submissionId">) {
  const { id } = await prisma().verificationSubmission.findFirstOrThrow({
    where: { accountId: account.accountId },
    orderBy: { submittedAt: "desc" },
  });
  await decideVerification({ kind: "staff", userId: staff.userId }, { submissionId: id, ...decision });
}

const submissions = () => prisma().verificationSubmission.count({ where: { accountId: account.accountId } });

test.describe("verification", () => {
  test("takes company data and shows how much of 48 hours is left, by the server's clock", async ({ browser }) => {
    // A context of its own: the clock stays with it.
    const { page, context } = await signedInPage(browser, { account });
    await page.clock.setSystemTime(Date.now() + 30 * HOUR_MS);
    await handIn(page);
    await expectToast(page, "Handed in. You get an answer");
    await expect(page.getByRole("timer")).toHaveText(/^4[78] h \d+ min left$/);
    await expect(page.getByText("Nordlicht Logistik GmbH").first()).toBeVisible();
    await expect(page.getByRole("button", { name: /Hand in/ })).toHaveCount(0);
    await expect(page.getByText("write to the support")).toHaveCount(0);
    await prisma().verificationSubmission.updateMany({
      where: { accountId: account.accountId },
      data: { submittedAt: new Date(Date.now() - 51 * HOUR_MS), dueAt: new Date(Date.now() - 3 * HOUR_MS) },
    });
    await page.reload();
    await expect(page.getByRole("timer")).toHaveText(/^Overdue by 3 h \d+ min$/);
    await expect(page.getByText("If it is urgent, write to the support.")).toBeVisible();
    await context.close();
  });

  test("names what is wrong at its field, leads there, and loses nothing that was filled in", async ({ page }) => {
    // Lower than the form: its first field and its button are never both in sight.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(PATH);
    await fill(page, { ...COMPANY, "Registration number": "   ", Website: "nordlicht" });
    await page.getByRole("button", { name: "Hand in", exact: true }).click();
    await expect(page.getByText("Must not be empty.")).toBeVisible();
    await expect(page.getByText("Must be a website, such as https://acme.com.")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Registration number" })).toBeFocused();
    await expect(page.getByText("Must not be empty.")).toBeInViewport();
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect(page.getByRole("textbox", { name: "Registration number" })).toHaveAccessibleDescription(
      /Must not be empty/,
    );
    await page.getByRole("link", { name: "Templates" }).click();
    await page
      .getByRole("alertdialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Stay" })
      .click();
    for (const label of ["Legal name", "City", "What the service is used for"] as const) {
      await expect(page.getByRole("textbox", { name: label })).toHaveValue(COMPANY[label]);
    }
    await expect(page.getByRole("button", { name: /Country/ })).toContainText("Germany");
    expect(await submissions()).toBe(0);
    await page.getByRole("textbox", { name: "Website" }).fill(COMPANY.Website);
    await page.getByRole("textbox", { name: "Registration number" }).fill("HRB 4711");
    await page.getByRole("button", { name: "Hand in", exact: true }).click();
    await expect(page.getByRole("timer")).toBeVisible();
    expect(await submissions()).toBe(1);
  });

  test("shows what was asked at each field, takes the answer, and keeps both rounds readable", async ({ page }) => {
    await handIn(page);
    await decide({
      decision: "ask",
      message: "The register has another name.",
      fieldMessages: { legalName: "Please write it as in the register.", vatId: "We need this one." },
    });
    await page.reload();
    await expect(page.getByText("Waiting for you")).toBeVisible();
    await expect(page.getByText("The register has another name.").first()).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Legal name" })).toHaveAccessibleDescription(/as in the register/);
    await expect(page.getByRole("textbox", { name: "VAT ID" })).toHaveAccessibleDescription(/We need this one/);
    await expect(page.getByRole("textbox", { name: "City" })).toHaveValue("Hamburg");
    await page.getByRole("textbox", { name: "Legal name" }).fill("Nordlicht Logistik AG");
    await page.getByRole("textbox", { name: "VAT ID" }).fill("DE123456789");
    await page.getByRole("button", { name: "Answer and hand in" }).click();
    await expect(page.getByRole("timer")).toHaveText(/^4[78] h/);
    await page.getByText("Round 2").click();
    await expect(page.getByText("Before: Nordlicht Logistik GmbH")).toBeVisible();
    await page.getByText("Round 1").click();
    await expect(page.getByText("Please write it as in the register.")).toBeVisible();
  });

  test("says what is open once it is approved, and why it was rejected", async ({ page }) => {
    await handIn(page);
    await decide({ decision: "reject", message: "This company is dissolved.", fieldMessages: {} });
    await page.reload();
    await expect(page.getByText("This company is dissolved.").first()).toBeVisible();
    await page.getByRole("button", { name: "Hand in again" }).click();
    await expect(page.getByRole("timer")).toBeVisible();
    await decide({ decision: "approve", message: "Tell us before you double your volume.", fieldMessages: {} });
    await page.reload();
    await expect(page.getByRole("heading", { name: "What it opened" })).toBeVisible();
    await expect(page.getByText("can be set up before")).toHaveCount(0);
    await expect(page.getByText("Tell us before you double your volume.").first()).toBeVisible();
    await expect(page.getByRole("timer")).toHaveCount(0);
    await page.getByRole("main").getByRole("link", { name: "API keys" }).click();
    await expect(page.getByRole("button", { name: "Create key" }).first()).toBeVisible();
  });

  test("lets a colleague's page that is behind say so, and hands nothing in twice", async ({ page, context }) => {
    const late = await context.newPage();
    await late.goto(PATH);
    await fill(late);
    await handIn(page);
    await late.getByRole("button", { name: "Hand in", exact: true }).click();
    await expect(late.getByText("The company is being checked already.").last()).toBeVisible();
    await expect(late.getByRole("textbox", { name: "Legal name" })).toHaveValue(COMPANY["Legal name"]);
    expect(await submissions()).toBe(1);
  });

  test("keeps all that was filled in when the session ends, and hands it in once one is signed in again", async ({
    page,
  }) => {
    await page.goto(PATH);
    await fill(page);
    await endSessions(owner);
    await page.getByRole("button", { name: "Hand in", exact: true }).click();
    await expect(page.getByRole("alert").filter({ hasText: "You are signed out" })).toContainText(
      "press the button again",
    );
    // Nothing on the page asks for itself either: that would lead away from the form.
    expect(await refreshBySight(page)).toBe(0);
    await page.getByRole("button", { name: "Hand in", exact: true }).click();
    await expect(page.getByRole("alert").filter({ hasText: "You are signed out" })).toBeVisible();
    await expect(page).toHaveURL(PATH);
    expect(await submissions()).toBe(0);
    await signInAgain(page, owner);
    await page.getByRole("button", { name: "Hand in", exact: true }).click();
    await expect(page.getByRole("timer")).toBeVisible();
    const { company } = await prisma().verificationSubmission.findFirstOrThrow({
      where: { accountId: account.accountId },
    });
    expect(company).toMatchObject({ legalName: COMPANY["Legal name"], city: "Hamburg", country: "DE" });
  });

  test("hands nothing in for somebody else who signs in after the session has ended", async ({ page, context }) => {
    const other = await panelAccount();
    await prisma().account.update({ where: { id: other.accountId }, data: { verificationStatus: "unsubmitted" } });
    await page.goto(PATH);
    await fill(page);
    await endSessions(owner);
    await page.getByRole("button", { name: "Hand in", exact: true }).click();
    await expect(page.getByRole("alert").filter({ hasText: "You are signed out" })).toBeVisible();
    await plantSession(context, await other.addPerson("owner"));
    await page.getByRole("button", { name: "Hand in", exact: true }).click();
    await expect(page.getByRole("alert").filter({ hasText: "somebody else is signed in now" })).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Legal name" })).toHaveValue(COMPANY["Legal name"]);
    expect(
      await prisma().verificationSubmission.count({
        where: { accountId: { in: [account.accountId, other.accountId] } },
      }),
    ).toBe(0);
  });

  test("shows a page that stays open what was decided, but takes no form from under somebody's hands", async ({
    page,
    context,
  }) => {
    const late = await context.newPage();
    await late.goto(PATH);
    await fill(late);
    await page.goto(PATH);
    await prisma().account.update({
      where: { id: account.accountId },
      data: { verificationStatus: "verified", verifiedAt: new Date() },
    });
    await refreshBySight(page);
    await expect(page.getByRole("heading", { name: "What it opened" })).toBeVisible();
    expect(await refreshBySight(late)).toBe(0);
    await expect(late.getByRole("textbox", { name: "Legal name" })).toHaveValue(COMPANY["Legal name"]);
  });

  test("lets members read and refuses them on the server as well", async ({ page, context }) => {
    await page.goto(PATH);
    await fill(page);
    await prisma().member.updateMany({ where: { userId: owner.userId }, data: { role: "member" } });
    await page.getByRole("button", { name: "Hand in", exact: true }).click();
    await expect(page.getByText("Your role does not allow this any more.").last()).toBeVisible();
    expect(await submissions()).toBe(0);
    await page.reload();
    await expect(page.getByText("An owner or admin of the account hands")).toBeVisible();
    await expect(page.getByRole("button", { name: "Hand in", exact: true })).toHaveCount(0);
    await context.clearCookies();
    await page.goto(PATH);
    await expect(page).toHaveURL(/sign-in/);
  });

  test("shows hostile company data and messages as text", async ({ page }) => {
    await handIn(page, {
      ...COMPANY,
      "Legal name": HOSTILE,
      "What the service is used for": `${HOSTILE} ${"long".repeat(400)}`,
    });
    await decide({ decision: "ask", message: HOSTILE, fieldMessages: { city: HOSTILE } });
    await page.reload();
    await expect(page.getByText("<img src=x").first()).toBeVisible();
    await page.getByText("Round 1").click();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await expectWellMade(page, "verification-hostile");
  });

  test("is well made: to fill in, waiting, asked and verified; and works by keyboard", async ({ page }) => {
    await page.goto(PATH);
    await expectWellMade(page, "verification-form");
    await page.getByRole("textbox", { name: "Legal name" }).focus();
    await fill(page);
    await page.getByRole("textbox", { name: "What the service is used for" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("timer")).toBeVisible();
    // What the form announced to screen readers stands for some seconds more, and names what is gone by then.
    await page.reload();
    await expectWellMade(page, "verification-pending");
    await decide({
      decision: "ask",
      message: "The register has another name, and the website does not answer.",
      fieldMessages: { legalName: "Please write it as in the register.", website: "Is there another address?" },
    });
    await page.reload();
    await page.getByText("Round 1").focus();
    await page.getByText("Round 1").click();
    await expectWellMade(page, "verification-asked");
  });
});
