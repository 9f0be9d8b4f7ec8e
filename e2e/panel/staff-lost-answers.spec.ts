import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { expectToast, holdSent, loseAnswers } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import {
  type PanelAccount,
  panelAccount,
  signInContext,
  staffPerson,
  type TestPerson,
} from "@/e2e/support/panel-browser";
import { prisma } from "@/lib/db/prisma";
import { confirmCredits } from "@/lib/services/accounts/decide-credit-request";
import { giveCredits } from "@/lib/services/accounts/give-credits";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { COMPANY } from "@/lib/services/verification/sample-company";
import { submitVerification } from "@/lib/services/verification/submit-verification";

/** What staff press whose answer does not come, or comes late, or who are not the first. */

let account: PanelAccount;
let staff: TestPerson;

test.beforeEach(async ({ context }) => {
  account = await panelAccount({ credits: 500 });
  staff = await staffPerson();
  await signInContext(context, staff);
});

// The browser itself reports what did not answer.
test.afterEach(({ faults }) => {
  faults.errors = faults.errors.filter((error) => !error.includes("ERR_FAILED"));
});

const open = (page: Page) => page.goto(`/staff/accounts/${account.accountId}`);
const dialog = (page: Page) => page.getByRole("alertdialog");

/** Loses the answer of one press; the page cannot be drawn anew before the next one. */
async function pressInVain(page: Page, button: string): Promise<void> {
  await loseAnswers(page, (sent) => sent === 2);
  await page.route("**/health/ready", (route) => route.abort());
  await dialog(page).getByRole("button", { name: button }).click();
  await expectToast(page, "It is not known whether anything changed");
}

test("credits are granted once, also where they are asked for again", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Grant" }).click();
  await dialog(page).getByRole("spinbutton", { name: "Credits" }).fill("250");
  await dialog(page).getByLabel("Reason").fill("Sorry for the outage");
  await pressInVain(page, "Grant credits");
  await dialog(page).getByRole("button", { name: "Grant credits" }).click();
  await expectToast(page, "Credits granted");
  await expect(page.getByText("750 of which 0 reserved")).toBeVisible();
});

test("a company that was approved is, also where it is approved again", async ({ page }) => {
  await prisma().account.update({
    where: { id: account.accountId },
    data: { verificationStatus: "unsubmitted", verifiedAt: null },
  });
  await submitVerification({ kind: "owner" }, account, COMPANY);
  await page.goto(`/staff/verifications/${account.accountId}`);
  await page.getByRole("button", { name: "Approve" }).click();
  await pressInVain(page, "Approve the company");
  await dialog(page).getByRole("button", { name: "Approve the company" }).click();
  await expectToast(page, "Approved");
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole("main")).toContainText("verified");
});

test("an act that is refused because it was done before says so, and the page shows it", async ({ page }) => {
  await suspendAccount({ kind: "staff", userId: staff.userId }, { accountId: account.accountId, reason: "Unpaid" });
  await open(page);
  await page.getByRole("button", { name: "Restore" }).click();
  await dialog(page).getByLabel("Reason").fill("All is paid");
  await pressInVain(page, "Restore the account");
  await dialog(page).getByRole("button", { name: "Restore the account" }).click();
  await expectToast(page, "Nothing more was doneThe account is not suspended. The press before this one got no answer");
  await page.unrouteAll();
  await expect(page.getByRole("button", { name: "Suspend" })).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
});

test("a grant that a colleague confirmed meanwhile is shown so once it is confirmed again", async ({ page }) => {
  const [asker, colleague] = [await staffPerson(), await staffPerson()];
  const grant = { accountId: account.accountId, amount: 7_777, reason: "Paid by invoice" };
  await giveCredits({ kind: "staff", userId: asker.userId }, grant, 100);
  await open(page);
  await page.getByRole("button", { name: "Confirm" }).click();
  const { id: requestId } = await prisma().creditRequest.findFirstOrThrow({ where: { accountId: account.accountId } });
  await confirmCredits({ kind: "staff", userId: colleague.userId }, { requestId, reason: "Seen" });
  await dialog(page).getByLabel("Reason").fill("Seen too");
  await dialog(page).getByRole("button", { name: "Give the credits" }).click();
  await expectToast(page, `This grant was confirmed already, by ${colleague.email}`);
  await expect(page.getByRole("region", { name: "Grants by two" })).toContainText("confirmed");
  await expect(page.getByRole("button", { name: "Confirm" })).toHaveCount(0);
});

test("a second grant for one payment is not confirmed by who has not seen the first, and is shown beside it", async ({
  page,
}) => {
  const { accountId } = account;
  const as = async (amount: number) => {
    const { userId } = await staffPerson();
    await giveCredits({ kind: "staff", userId }, { accountId, amount, reason: "Paid by invoice" }, 100);
    return prisma().creditRequest.findFirstOrThrow({ where: { accountId, amount } });
  };
  const first = await as(7_777);
  await as(7_000);
  const question = page.getByRole("alertdialog", { name: "Confirm this grant?" });
  await open(page);
  await page.getByRole("button", { name: /^Confirm: 7,000/ }).click();
  const { userId } = await staffPerson();
  await confirmCredits({ kind: "staff", userId }, { requestId: first.id, reason: "Seen" });
  await question.getByLabel("Reason").fill("Seen too");
  await question.getByRole("button", { name: "Give the credits" }).click();
  await expectToast(page, "the account was given 7777 credits by somebody else meanwhile");
  await question.getByRole("button", { name: "Cancel" }).click();
  const told = "Since it was asked for, 7,777 credits were given otherwise.";
  const grants = page.getByRole("region", { name: "Grants by two" });
  await expect(grants).toContainText(told);
  await expectWellMade(page, "staff-account-second-grant");
  await page.getByRole("button", { name: /^Confirm: 7,000/ }).click();
  await expect(question).toContainText(told);
  await question.getByLabel("Reason").fill("A second invoice");
  await question.getByRole("button", { name: "Give the credits" }).click();
  await expectToast(page, "Credits granted");
  await expect(grants.getByText(told)).toHaveCount(0);
});

test("a question that is put anew stays as it is when the answer to the one before comes", async ({ page }) => {
  await open(page);
  const amount = dialog(page).getByRole("spinbutton", { name: "Credits" });
  const reason = dialog(page).getByLabel("Reason");
  /** Sends, closes the question before its answer is there, and puts it again. */
  const pressAndAskAgain = async (label: string, credits: string, why: string) => {
    const ask = () => page.getByRole("button", { name: label, exact: true }).click();
    await ask();
    await amount.fill(credits);
    await reason.fill(why);
    const answer = await holdSent(page, why);
    await dialog(page)
      .getByRole("button", { name: `${label} credits` })
      .click();
    await answer.isSent;
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await ask();
    await amount.fill("3");
    await reason.fill("Another");
    answer.go();
  };
  await pressAndAskAgain("Grant", "250", "Sorry for the outage");
  await expectToast(page, "Credits granted");
  await dialog(page).getByRole("button", { name: "Grant credits" }).click();
  await expectToast(page, "Credits granted");
  await expect(page.getByText("753 of which 0 reserved")).toBeVisible();

  await pressAndAskAgain("Withdraw", "9000", "Given by mistake");
  await expectToast(page, "That did not work");
  await expect(amount).toHaveValue("3");
  await expect(dialog(page).getByText("9000")).toHaveCount(0);
  await expect(amount).not.toHaveAttribute("aria-invalid");
  await dialog(page).getByRole("button", { name: "Withdraw credits" }).click();
  await expectToast(page, "Credits withdrawn");
});
