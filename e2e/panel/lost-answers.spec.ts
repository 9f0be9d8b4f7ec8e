import { TOTP } from "otpauth";
import { expect, type Page, type Route } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { seedRegistration } from "@/e2e/support/delivery-seeds";
import { expectToast, loseAnswers } from "@/e2e/support/live-pages";
import { endSessions, type PanelAccount, signInNewOwner, type TestPerson } from "@/e2e/support/panel-browser";
import { ownerOf } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { inviteMember } from "@/lib/services/members/invitations";
import { sealSecret } from "@/lib/services/people/sealed-secret";

/** What people press on a train: the server does it, and the answer never comes. */

let account: PanelAccount;
let person: TestPerson;

test.beforeEach(async ({ context }) => {
  ({ account, person } = await signInNewOwner(context));
});

// The browser itself reports what did not answer.
test.afterEach(({ faults }) => {
  faults.errors = faults.errors.filter((error) => !error.includes("ERR_FAILED"));
});

/** Loses the answer of the act alone: a look goes ahead of it, and what the page asks for afterwards gets through. */
const loseAnswer = (page: Page) => loseAnswers(page, (sent) => sent === 2);

/** The same where no look goes ahead: outside of the shell. */
const loseAllAnswers = (page: Page) => loseAnswers(page, () => true);

test("a key that was made is in the list without a reload, and the form says what to do with it", async ({ page }) => {
  // Of an empty list: its button is not there any more once the key is.
  await prisma().apiKey.updateMany({ where: { accountId: account.accountId }, data: { revokedAt: new Date() } });
  await page.goto("/panel/api-b2b/api-keys");
  await page.getByRole("main").getByRole("button", { name: "Create key" }).last().click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await dialog.getByLabel("Name").fill("Made on a train");
  await loseAnswer(page);
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("alert")).toContainText("A key may have been made whose text nobody saw");
  await page.unrouteAll();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("row", { name: /Made on a train/ })).toBeVisible();
});

test("a key that was made after its dialog was closed is in the list, with what to do with it", async ({ page }) => {
  await page.goto("/panel/api-b2b/api-keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await dialog.getByLabel("Name").fill("Made on a train");
  let lose: () => void = () => undefined;
  const isClosed = new Promise<void>((resolve) => {
    lose = resolve;
  });
  await page.route("**/panel/**", async (route) => {
    if (!route.request().postData()?.includes("Made on a train")) return route.continue();
    await route.fetch();
    await isClosed;
    await route.abort();
  });
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  lose();
  await expectToast(page, "A key may have been made whose text nobody saw");
  await expect(page.getByRole("row", { name: /Made on a train/ })).toBeVisible();
});

test("an invitation that was sent stands among the open ones without a reload", async ({ page }) => {
  await page.goto("/panel/settings/team");
  await page.getByLabel("E-mail").fill("guest@train.example");
  await loseAnswer(page);
  await page.getByRole("button", { name: "Invite" }).click();
  await expectToast(page, "It is not known whether anything changed");
  // The next press does not get through: what became of the one before is known as little.
  await page.unrouteAll();
  await page.route("**/panel/**", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await page.getByRole("button", { name: "Invite" }).click();
  await expectToast(page, "It is not known whether anything changed");
  await page.unrouteAll();
  await expect(page.getByRole("row", { name: /guest@train\.example/ })).toBeVisible();
  await expect(page.getByLabel("E-mail")).toHaveValue("guest@train.example");
});

test("a page stays as it is where the session has ended meanwhile, and says that the press may have worked", async ({
  page,
}) => {
  await page.goto("/panel/settings/team");
  await page.getByLabel("E-mail").fill("guest@train.example");
  await page.route("**/panel/**", async (route) => {
    const isAct = route.request().postData()?.includes("guest@train.example");
    if (!isAct) return route.continue();
    await route.fetch();
    await endSessions(person);
    await route.abort();
  });
  await page.getByRole("button", { name: "Invite" }).click();
  await expectToast(page, "It is not known whether anything changed");
  await page.unrouteAll();
  await page.getByRole("button", { name: "Invite" }).click();
  await expect(page.locator("form").getByRole("alert")).toContainText(
    "You are signed out. The press before this one got no answer, and may have worked.",
  );
  await expect(page.getByLabel("E-mail")).toHaveValue("guest@train.example");
});

test("a secret that was rotated is not rotated once more before its reader has seen that", async ({ page }) => {
  await page.goto("/panel/api-b2b/webhooks?tab=callbacks");
  const rotate = page.getByRole("alertdialog", { name: "Rotate the signing secret?" });
  await page.getByRole("button", { name: "Show secret" }).click();
  const copy = page.getByRole("button", { name: "Copy the signing secret" });
  await expect(copy).toBeVisible();
  await page.getByRole("button", { name: "Rotate" }).click();
  await loseAnswer(page);
  await rotate.getByRole("button", { name: "Make a new secret" }).click();
  await expectToast(page, "It is not known whether anything changed");
  const rotations = () =>
    prisma().auditEntry.count({ where: { accountId: account.accountId, action: "project.rotate-callback-secret" } });
  expect(await rotations()).toBe(1);
  await page.unrouteAll();
  // The page beneath is drawn anew, which the question that stands there was not put about.
  await expect(page.getByText("The secret before it signs too until")).toBeVisible();
  await rotate.getByRole("button", { name: "Make a new secret" }).click();
  await expect(rotate.getByRole("alert")).toContainText("Nothing was changed now: the secret was rotated meanwhile");
  expect(await rotations()).toBe(1);
  await rotate.getByRole("button", { name: "Cancel" }).click();
  // It is not the present one any more.
  await expect(copy).toHaveCount(0);
  await page.getByRole("button", { name: "Rotate" }).click();
  await expect(rotate).toContainText("the secret from before that stops signing at once");
  await rotate.getByRole("button", { name: "Make a new secret" }).click();
  await expectToast(page, "The new secret signs from now on");
  expect(await rotations()).toBe(2);
});

test("a password that was changed is said to be, not that the one before is wrong", async ({ page }) => {
  await page.goto("/panel/settings/account");
  await page.getByLabel("Current password").fill(person.password);
  await page.getByLabel("New password").fill("seven green bottles");
  await loseAnswer(page);
  await page.getByRole("button", { name: "Change password" }).click();
  await expectToast(page, "It is not known whether anything changed");
  await page.unrouteAll();
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Is your password already: it was changed")).toBeVisible();
});

test("recovery codes that nobody saw are said to be in the place of the older ones", async ({ page }) => {
  await page.goto("/panel/settings/account");
  await page.getByRole("button", { name: "Set up" }).click();
  const secret = page.locator("code", { hasText: /^([A-Z2-7]{4} ?){8}$/ });
  const key = ((await secret.textContent()) ?? "").replaceAll(" ", "");
  await page.getByLabel("Code").fill(new TOTP({ secret: key }).generate());
  await page.getByRole("button", { name: "Confirm" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const [first = ""] = await codes.allTextContents();
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.getByRole("button", { name: "New recovery codes" }).click();
  await page.getByLabel("Present code").fill(first);
  await loseAnswer(page);
  await page.getByRole("button", { name: "Make new codes" }).click();
  await expect(page.locator("form").getByRole("alert")).toContainText("the older ones no longer work");
});

test("recovery codes that were made after their form was closed, or its page left, are said to be", async ({
  page,
}) => {
  const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
  const data = { totpSecretEncrypted: sealSecret(secret) };
  await prisma().user.update({ where: { id: person.userId }, data });
  await page.goto("/panel/settings/account");
  /** Asks for new codes with one of another half a minute each time, and has the answer wait. */
  const ask = async (timestamp: number, answer: (route: Route) => Promise<void>) => {
    const code = new TOTP({ secret }).generate({ timestamp });
    await page.getByRole("button", { name: "New recovery codes" }).click();
    await page.getByLabel("Present code").fill(code);
    const [sent, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/panel/**", async (route) => {
      if (!route.request().postData()?.includes(code)) return route.fallback();
      sent.resolve();
      await held.promise;
      await answer(route);
    });
    await page.getByRole("button", { name: "Make new codes" }).click();
    await sent.promise;
    return held.resolve;
  };
  const lose = await ask(Date.now(), async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Cancel" }).click();
  lose();
  await expectToast(page, "the older ones no longer work then");

  const answer = await ask(Date.now() + 30_000, (route) => route.fallback());
  await page.getByRole("navigation").getByRole("link", { name: "Usage", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Usage");
  answer();
  await expectToast(page, "Nobody saw the recovery codes");
});

test("somebody new who joined is let in by the next press", async ({ page, context }) => {
  const owner = await ownerOf(account);
  const team = { accountId: account.accountId, role: "owner" as const, actor: owner };
  const { link } = await inviteMember(team, { email: `guest-${person.userId}@train.example`, role: "member" });
  await context.clearCookies();
  await page.goto(new URL(link ?? "").pathname);
  await page.getByLabel("Your name").fill("Gus");
  await page.getByLabel("Password").fill("seven green bottles");
  await loseAllAnswers(page);
  const join = page.getByRole("button", { name: "Join" });
  await join.click();
  await expect(page.locator("form").getByRole("alert")).toContainText("The server could not be reached. Try again.");
  await page.unrouteAll();
  await join.click();
  await expect(page).toHaveURL(/\/panel$/);
});

test("a person who was erased reads that they may be, and is not asked to sign in and press again", async ({
  page,
}) => {
  await prisma().member.deleteMany({ where: { userId: person.userId } });
  await page.goto("/panel/no-account");
  await page.getByRole("button", { name: "Erase me" }).click();
  const question = page.getByRole("alertdialog", { name: "Erase all that is kept of you?" });
  await question.getByRole("textbox").fill(person.email);
  await loseAllAnswers(page);
  await question.getByRole("button", { name: "Erase me" }).click();
  await expect(page).toHaveURL(/\/panel\/sign-in/);
  await expect(page.getByText("If you had yourself erased, that is done")).toBeVisible();
  expect(await prisma().user.count({ where: { id: person.userId } })).toBe(0);
});

test("what is sent again is made once: a template, and a webhook with its secret", async ({ page }) => {
  await page.goto("/panel/templates/new");
  await page.getByLabel("Name").fill("Made on a train");
  await page.locator(".cm-content").first().click();
  await page.keyboard.insertText("Sum up {{text}}");
  const create = page.getByRole("button", { name: "Create template" });
  await loseAnswer(page);
  await create.click();
  await expectToast(page, "It is not known whether anything changed");
  await page.unrouteAll();
  await create.click();
  await expect(page).toHaveURL(/\/templates\/tpl_/);
  const { accountId, projectId } = account;
  expect(await prisma().template.count({ where: { projectId } })).toBe(1);

  await page.goto("/panel/api-b2b/webhooks");
  await page.getByRole("button", { name: "Add webhook" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a webhook" });
  await dialog.getByLabel("Address").fill("https://train.example/hooks");
  await loseAnswer(page);
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expectToast(page, "It is not known whether anything changed");
  await page.unrouteAll();
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expect(page.getByRole("dialog", { name: "The webhook is on" })).toContainText("whsec_");
  expect(await prisma().webhookRegistration.count({ where: { accountId } })).toBe(1);
});

test("the dialog of a list that was empty stays until the webhook's secret was seen", async ({ page }) => {
  await page.goto("/panel/api-b2b/webhooks");
  await page.getByRole("main").getByRole("button", { name: "Add webhook" }).last().click();
  const dialog = page.getByRole("dialog", { name: "Add a webhook" });
  await dialog.getByLabel("Address").fill("https://train.example/hooks");
  await loseAnswer(page);
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expectToast(page, "It is not known whether anything changed");
  // Nothing is drawn anew under it.
  await page.unrouteAll({ behavior: "wait" });
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  const made = page.getByRole("dialog", { name: "The webhook is on" });
  await expect(made).toContainText("whsec_");
  await made.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("row", { name: /train\.example/ })).toHaveCount(1);
});

test("a template of a file, and what is tried with templates and webhooks, is done once though it is sent again", async ({
  page,
}) => {
  const { accountId, projectId } = account;
  /** Presses, gets no answer, and presses again. */
  const pressTwice = async (press: () => Promise<unknown>) => {
    await loseAnswer(page);
    await press();
    await expectToast(page, "It is not known whether anything changed");
    await page.unrouteAll({ behavior: "wait" });
    await press();
  };
  await page.goto("/panel/templates");
  const file = { name: "letter.md", mimeType: "text/markdown", buffer: Buffer.from("Write a letter") };
  await pressTwice(() => page.getByLabel("Template file").first().setInputFiles(file));
  await expect(page).toHaveURL(/\/templates\/tpl_/);
  expect(await prisma().template.count({ where: { projectId } })).toBe(1);

  await pressTwice(() => page.getByRole("button", { name: "Ask the AI" }).click());
  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible();
  expect(await prisma().session.count({ where: { projectId } })).toBe(1);

  const url = "https://train.example/hooks";
  const webhookId = await seedRegistration({ accountId, projectId, url, secret: newWebhookSecret() });
  await page.goto(`/panel/api-b2b/webhooks/${webhookId}`);
  await pressTwice(() => page.getByRole("button", { name: "Send test event" }).click());
  await expect(page).toHaveURL(/delivery=dlv_/);
  // The session from before may end only now, which is an event of its own.
  expect(await prisma().webhookDelivery.count({ where: { accountId, isTest: true } })).toBe(1);
});

test("a template whose upload was lost is opened by another button than that of the list that was empty", async ({
  page,
}) => {
  await page.goto("/panel/templates");
  const file = { name: "letter.md", mimeType: "text/markdown", buffer: Buffer.from("Write a letter") };
  const field = page.getByLabel("Template file");
  await expect(field).toHaveCount(2);
  await loseAnswer(page);
  await field.last().setInputFiles(file);
  await expectToast(page, "It is not known whether anything changed");
  await page.unrouteAll({ behavior: "wait" });
  // The list is not empty any more.
  await expect(field).toHaveCount(1);
  await field.setInputFiles(file);
  await expect(page).toHaveURL(/\/templates\/tpl_/);
  expect(await prisma().template.count({ where: { projectId: account.projectId } })).toBe(1);
});

test("a knowledge file and a project are opened by the next press, which is not told that the name is taken", async ({
  page,
  context,
}) => {
  await page.goto("/panel/knowledge/new");
  await page.getByRole("textbox", { name: /^Name/ }).fill("train.md");
  await page.locator(".cm-content").first().click();
  await page.keyboard.insertText("We sell tickets.");
  await loseAnswer(page);
  const createFile = page.getByRole("button", { name: "Create file" });
  await createFile.click();
  await expectToast(page, "It is not known whether anything changed");
  await page.unrouteAll({ behavior: "wait" });
  await createFile.click();
  await expect(page).toHaveURL(/\/knowledge\/knw_/);

  await page.goto("/panel/settings/project?new=1");
  await page.getByLabel("Name").fill("Made on a train");
  await loseAnswer(page);
  const createProject = page.getByRole("button", { name: "Create project" });
  await createProject.click();
  await expectToast(page, "It is not known whether anything changed");
  await page.unrouteAll({ behavior: "wait" });
  // With the answer its cookie was lost.
  await context.clearCookies({ name: "panel.project" });
  await createProject.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Made on a train");
});

test("who has left a team is not told that nothing was done", async ({ page }) => {
  await page.goto("/panel/settings/team");
  await page.getByRole("row", { name: person.email }).getByRole("button", { name: "Leave" }).click();
  const question = page.getByRole("alertdialog", { name: "Leave this team?" });
  await question.getByRole("textbox").fill(person.email);
  await loseAnswer(page);
  await question.getByRole("button", { name: "Leave the team" }).click();
  await expectToast(page, "It is not known whether anything changed");
  await page.unrouteAll({ behavior: "wait" });
  await question.getByRole("button", { name: "Leave the team" }).click();
  await expect(question.getByRole("alert")).toContainText(
    "The press before this one got no answer, and may have worked",
  );
});
