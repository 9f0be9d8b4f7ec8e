import { randomUUID } from "node:crypto";
import { expect } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { expectToast, recordPending } from "@/e2e/support/live-pages";
import { ageSignIn, type PanelAccount, panelAccount, signedInPage } from "@/e2e/support/panel-browser";
import { suite } from "@/e2e/support/suite";
import { sendUnknownField } from "@/e2e/support/unknown-field";
import { prisma } from "@/lib/db/prisma";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { inviteMember } from "@/lib/services/members/invitations";

const PAGE = "/panel/settings/team";

let account: PanelAccount;

test.beforeAll(async () => {
  account = await panelAccount();
});

test.describe("team", () => {
  test("invites somebody by a link, who joins with a password and works as that role", async ({ browser }) => {
    const { page, context } = await signedInPage(browser, { account });
    const email = `guest-${randomUUID()}@example.test`;
    await page.goto(PAGE);
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await expect(page.getByText("Please fill out this field.")).toBeVisible();
    // The words go while it is typed, so that the button stays where the next press is aimed.
    await page.getByLabel("E-mail").pressSequentially(email);
    await expect(page.getByLabel("E-mail")).toBeFocused();
    await expect(page.getByText("Please fill out this field.")).toHaveCount(0);
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const link = (await page.locator("code", { hasText: "/panel/invitation/" }).textContent()) ?? "";
    await expect(page.getByRole("table", { name: "Open invitations" })).toContainText(email);

    const guest = await browser.newContext({ baseURL: suite.url });
    const guestPage = await guest.newPage();
    await guestPage.goto(link);
    await guestPage.getByLabel("Your name").fill("Gus");
    await guestPage.getByLabel("Password").fill("a boat under a bridge");
    await guestPage.getByRole("button", { name: "Join" }).click();
    await expect(guestPage).toHaveURL(/\/panel$/);
    await guestPage.goto(PAGE);
    await expect(guestPage.getByRole("button", { name: "Invite", exact: true })).toHaveCount(0);
    await expect(guestPage.getByRole("button", { name: "Remove" })).toHaveCount(0);
    await guestPage.goto("/panel/settings/audit-log");
    await expect(guestPage.getByRole("heading", { level: 1 })).toHaveText("Not found");

    await guestPage.goto(link);
    await expect(guestPage).toHaveURL(/\/panel$/);
    await page.goto(link);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This invitation does not work any more");
    await Promise.all([context.close(), guest.close()]);
  });

  test("prints who is on it, without what is pressed", async ({ browser }) => {
    const { page, context, person } = await signedInPage(browser, { account });
    await page.goto(PAGE);
    const row = page.getByRole("row", { name: person.email });
    await expect(row.getByRole("button", { name: "Leave" })).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(row).toBeVisible();
    await expect(row.getByRole("button", { name: "Leave" })).toBeHidden();
    await context.close();
  });

  test("leads who is signed in with another address through signing out back to the invitation", async ({
    browser,
  }) => {
    const { page, context, person } = await signedInPage(browser);
    const inviter = await prisma().member.findFirstOrThrow({ where: { accountId: account.accountId, role: "owner" } });
    const { link } = await inviteMember(
      { accountId: account.accountId, role: "owner", actor: { kind: "owner", userId: inviter.userId } },
      { email: `guest-${randomUUID()}@example.test`, role: "member" },
    );
    await page.goto(link ?? "");
    await expect(page.getByRole("main")).toContainText(`You are signed in as ${person.email}`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Your name").fill("Gus");
    await page.getByLabel("Password").fill("a boat under a bridge");
    await page.getByRole("button", { name: "Join" }).click();
    await expect(page).toHaveURL(/\/panel$/);
    await context.close();
  });

  test("shows people of another account the one that they joined", async ({ browser }) => {
    const { page, context, person } = await signedInPage(browser);
    const inviter = await prisma().member.findFirstOrThrow({ where: { accountId: account.accountId, role: "owner" } });
    const { link } = await inviteMember(
      { accountId: account.accountId, role: "owner", actor: { kind: "owner", userId: inviter.userId } },
      { email: person.email, role: "member" },
    );
    await page.goto(link ?? "");
    await page.getByRole("button", { name: "Join" }).click();
    await expect(page).toHaveURL(/\/panel$/);
    const chosen = (await context.cookies()).find(({ name }) => name === "panel.project");
    expect(chosen?.value).toBe(account.projectId);
    await context.close();
  });

  test("goes on from the keyboard to the next invitation: its first field has the focus", async ({ browser }) => {
    const { page, context } = await signedInPage(browser, { account });
    await page.goto(PAGE);
    await expect(page.getByLabel("E-mail")).not.toBeFocused();
    await page.getByLabel("E-mail").fill(`guest-${randomUUID()}@example.test`);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Copy the invitation's link" })).toBeFocused();
    await page.getByRole("button", { name: "Invite somebody else" }).press("Enter");
    await expect(page.getByLabel("E-mail")).toBeFocused();
    await context.close();
  });

  test("says in the question what is wrong with what was sent, and removes nobody", async ({ browser }) => {
    const { page, context } = await signedInPage(browser, { account });
    const { email } = await account.addPerson("member");
    await page.goto(PAGE);
    await sendUnknownField(page, PAGE);
    await page.getByRole("row", { name: email }).getByRole("button", { name: "Remove" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("textbox").fill(email);
    await dialog.getByRole("button", { name: "Remove" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("What was sent has unknown fields.");
    await page.reload();
    await expect(page.getByRole("row", { name: email })).toBeVisible();
    await context.close();
  });

  test("says in the question which keys go on that a person made, and where to end them", async ({ browser }) => {
    const { page, context } = await signedInPage(browser, { account });
    const { email, userId } = await account.addPerson("admin");
    await createApiKey({ kind: "owner", userId }, { ...account, name: "Backend", permissions: ["chat"] });
    await page.goto(PAGE);
    await page.getByRole("row", { name: email }).getByRole("button", { name: "Remove" }).click();
    const dialog = page.getByRole("alertdialog");
    await expect(dialog.getByRole("listitem")).toHaveText(/^Backend ….{4} in /);
    await dialog.getByRole("link", { name: "API keys" }).click();
    await expect(page).toHaveURL(/\/api-keys$/);
    await context.close();
  });

  test("removes a person by name; they are out at their next click, and open a company of their own there", async ({
    browser,
  }) => {
    const { page, context } = await signedInPage(browser, { account });
    const other = await signedInPage(browser, { account, role: "admin" });
    await other.page.goto(PAGE);
    await page.goto(PAGE);
    const row = page.getByRole("row", { name: other.person.email });
    await row.getByRole("button", { name: "Remove" }).click();
    const dialog = page.getByRole("alertdialog");
    await expect(dialog.getByRole("button", { name: "Remove" })).toBeDisabled();
    await dialog.getByRole("textbox").fill(other.person.email);
    await dialog.getByRole("button", { name: "Remove" }).click();
    await expectToast(page, "Removed from the team.");
    await other.page.goto(PAGE);
    await expect(other.page).toHaveURL(/\/panel\/no-account/);
    await other.page.getByLabel("Company").fill("Own GmbH");
    await other.page.getByRole("button", { name: "Create account" }).click();
    await expect(other.page).toHaveURL(/\/panel$/);
    await other.page.goto(PAGE);
    await expect(other.page.getByRole("row", { name: other.person.email })).toContainText("owner");
    await Promise.all([context.close(), other.context.close()]);
  });

  test("keeps the last owner", async ({ browser }) => {
    const alone = await panelAccount();
    const { page, context, person } = await signedInPage(browser, { account: alone });
    await page.goto(PAGE);
    const founder = page.getByRole("row", { name: /owner-/ });
    await founder.getByRole("button", { name: "Remove" }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("textbox")
      .fill(((await founder.locator("td").first().textContent()) ?? "").trim());
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await expectToast(page, "Removed from the team.");
    await page.getByRole("row", { name: person.email }).getByRole("button", { name: "Leave" }).click();
    await page.getByRole("alertdialog").getByRole("textbox").fill(person.email);
    await page.getByRole("alertdialog").getByRole("button", { name: "Leave the team" }).click();
    await expect(page.getByText("An account needs an owner.").last()).toBeVisible();
    await context.close();
  });

  test("is left in one piece: the question stays, pending, until the next page is there", async ({ browser }) => {
    const { page, context, person } = await signedInPage(browser, { account, role: "member" });
    await page.goto(PAGE);
    await page.getByRole("row", { name: person.email }).getByRole("button", { name: "Leave" }).click();
    const question = page.getByRole("alertdialog", { name: "Leave this team?" });
    await question.getByRole("textbox").fill(person.email);
    const pendingAtTheEnd = await recordPending(page, "/panel");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/panel\/no-account/);
    expect(await pendingAtTheEnd()).toContain("Leave the team");
    await context.close();
  });

  test("changes no role that another owner changed meanwhile, and shows which they have now", async ({ browser }) => {
    const { page, context } = await signedInPage(browser, { account });
    const other = await account.addPerson("owner");
    await page.goto(PAGE);
    const setRole = (role: string) => prisma().member.updateMany({ where: { userId: other.userId }, data: { role } });
    await setRole("member");
    const role = page.getByRole("button", { name: new RegExp(`Role of ${other.email}`) });
    await role.click();
    await page.getByRole("option", { name: "admin" }).click();
    await expectToast(page, "they were made a member by somebody else meanwhile");
    await expect(role).toHaveAccessibleName(new RegExp(`member Role of ${other.email}`));
    expect(await prisma().member.findFirst({ where: { userId: other.userId } })).toMatchObject({ role: "member" });
    await context.close();
  });

  test("changes a role after asking for the password in an old session", async ({ browser }) => {
    const { page, context, person } = await signedInPage(browser, { account });
    const member = await account.addPerson("member");
    await ageSignIn(person);
    await page.goto(PAGE);
    const role = page.getByRole("button", { name: new RegExp(`Role of ${member.email}`) });
    await role.click();
    await page.getByRole("option", { name: "admin" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByLabel("Password").fill(person.password);
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await expectToast(page, "Role changed.");
    await expect(role).toHaveAccessibleName(new RegExp(`admin Role of ${member.email}`));
    await expect(role).toBeFocused();
    await context.close();
  });
});
