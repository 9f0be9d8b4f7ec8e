import { expect, type Page, test } from "playwright/test";
import { expectToast, loseAnswers, makeLive } from "@/e2e/support/live-pages";
import { expectWellMade } from "@/e2e/support/page-look";
import { type ReceivedMail, type SmtpServer, startSmtpServer } from "@/e2e/support/smtp-server";
import { suite } from "@/e2e/support/suite";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { startTestService, type TestService } from "@/e2e/support/test-service";

/** A service of its own, for it has a mail server. */
let smtp: SmtpServer;
let database: TestDatabase;
let service: TestService;

test.beforeAll(async () => {
  [smtp, database] = await Promise.all([startSmtpServer(), createTestDatabase()]);
  service = await startTestService({
    databaseUrl: database.url,
    modelUrl: suite.modelUrl,
    settings: { SMTP_URL: smtp.url, SUPPORT_CONTACT: "help@service.example" },
  });
});

test.afterAll(async () => {
  await service.close();
  await Promise.all([database.drop(), smtp.stop()]);
});

test.beforeEach(({ context }) => makeLive(context));

/** The one-time link that was mailed to such a page last; waits for it. */
async function mailedLink(page: string): Promise<string> {
  const pattern = new RegExp(`https?:\\S+/panel/${page}\\?token=[\\w-]{43}`);
  const find = () => smtp.mails.map(({ text }) => pattern.exec(text)?.[0]).findLast((link) => link !== undefined);
  await expect.poll(find).toBeDefined();
  return find() ?? "";
}

test("signs up, confirms the mailed link, forgets the password and sets a new one by mail", async ({
  page,
  browser,
}) => {
  const email = "ann@blue.example";
  const signIn = async (password: string) => {
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await page.goto(`${service.url}/panel/sign-up`);
  await page.getByLabel("Company").fill("Blue Ltd");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("a boat under a bridge");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("status").first()).toContainText(`We sent a mail to ${email}`);

  const next = "/panel/settings/account";
  await mailedLink("confirm-email");
  await page.goto(`${service.url}/panel/sign-in?next=${next}`);
  await signIn("a boat under a bridge");
  await expect(page.locator("form").getByRole("alert")).toContainText("Confirm your e-mail address first");

  await page.getByRole("button", { name: "Send the mail again" }).click();
  await expect(page.getByText("Sent again. Look among unwanted mail, too.")).toBeVisible();
  await expect.poll(() => smtp.mails.length).toBe(2);
  const confirmLink = await mailedLink("confirm-email");
  await page.goto(confirmLink);
  await expectWellMade(page, "confirm-email");
  await page.getByLabel("Password").fill("not that one, no");
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Is wrong.")).toBeVisible();
  await page.getByLabel("Password").fill("a boat under a bridge");
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("status").first()).toContainText("Your e-mail address is confirmed");
  // Opened once more it asks for nothing that could not help.
  await page.goto(confirmLink);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link does not work any more");
  await expect(page.getByLabel("Password")).toHaveCount(0);
  await page.getByRole("link", { name: "Back to sign in" }).click();

  await page.getByRole("link", { name: "Forgot your password?" }).click();
  // Both pages have such a field.
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByRole("status").first()).toContainText("a mail with a link is on its way");
  await page.goto(await mailedLink("reset-password"));
  await page.getByLabel("New password").fill("seven green bottles");
  await page.getByRole("button", { name: "Set the password" }).click();
  await expect(page.getByRole("status").first()).toContainText("Your password is changed");

  await page.goto(`${service.url}/panel/sign-in?next=${next}`);
  await signIn("seven green bottles");
  await expect(page).toHaveURL(service.url + next);

  const fresh = "ann@green.example";
  const section = page.getByRole("region", { name: "E-mail address" });
  await section.getByLabel("New e-mail address").fill(fresh);
  await section.getByLabel("Your password").fill("not this one, no");
  await section.getByRole("button", { name: "Send the link" }).click();
  await expect(section.getByText(/is wrong\.$/i)).toBeVisible();
  await section.getByLabel("Your password").fill("seven green bottles");
  await section.getByLabel("New e-mail address").fill(fresh);
  await loseAnswers(page, (sent) => sent === 2);
  await section.getByRole("button", { name: "Send the link" }).click();
  await expect(section.getByRole("alert")).toContainText("The link of the newest mail alone works.");
  await page.unrouteAll();
  await section.getByRole("button", { name: "Send the link" }).click();
  await expectToast(page, "Look into the new address's mail.");
  await expect.poll(() => smtp.mails.filter(({ to }) => to.includes(fresh)).length).toBe(2);
  const changeLink = await mailedLink("change-email");
  expect(smtp.mails.findLast(({ text }) => text.includes(changeLink))?.to).toEqual([fresh]);
  const elsewhere = await browser.newContext();
  const stranger = await elsewhere.newPage();
  await stranger.goto(changeLink);
  await stranger.getByLabel("Password").fill("not this one, no");
  await stranger.getByRole("button", { name: "Confirm" }).click();
  await expect(stranger.getByText(/is wrong\.$/i)).toBeVisible();
  await expectWellMade(stranger, "change-email-password");
  await elsewhere.close();
  await page.goto(changeLink);
  await expect(page.getByLabel("Password")).toHaveCount(0);
  await page.getByRole("button", { name: "Confirm" }).click();
  // This browser stays signed in, and reads there what came of it.
  await expect(page).toHaveURL(/\/panel\/settings\/account$/);
  await expect(section).toContainText(`You sign in as ${fresh}`);

  await page.goto(`${service.url}/panel/settings/team`);
  await page.getByLabel("E-mail").fill("bob@blue.example");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  // Screen readers read with the focus what came of it.
  const again = page.getByRole("button", { name: "Invite somebody else" });
  await expect(again).toBeFocused();
  await expect(again).toHaveAccessibleDescription("The invitation is on its way by mail. Its link works for 7 days.");

  await page.goto(`${service.url}/panel/api-b2b/verification`);
  const company = {
    "Registration number": "HRB 4711",
    Website: "https://blue.example",
    "Street and number": "Am Kai 3",
    "Postal code": "20457",
    City: "Hamburg",
    "Contact person": "Ann Berg",
    "What the service is used for": "Freight papers, read and summed up.",
  };
  for (const [label, text] of Object.entries(company)) await page.getByRole("textbox", { name: label }).fill(text);
  await page.getByRole("button", { name: /Country/ }).click();
  await page.getByRole("option", { name: "Germany" }).click();
  await page.getByRole("button", { name: "Hand in", exact: true }).click();
  await expect(page.getByText(`A mail to ${fresh} tells you when it is there.`)).toBeVisible();
  await expectWellMade(page, "verification-waiting-mail");
});

/** The mail that comes of it. */
async function signUp(page: Page, email: string, company: string): Promise<ReceivedMail | undefined> {
  await page.goto(`${service.url}/panel/sign-up`);
  await page.getByLabel("Company").fill(company);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("a boat under a bridge");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect.poll(() => smtp.mails.some(({ to }) => to.includes(email))).toBe(true);
  return smtp.mails.find(({ to }) => to.includes(email));
}

test("people choose what they are mailed of", async ({ page }) => {
  const email = "choice@blue.example";
  const mail = await signUp(page, email, "Blue Ltd");
  await page.goto(/https?:\S+token=[\w-]{43}/.exec(mail?.text ?? "")?.[0] ?? "");
  await page.getByLabel("Password").fill("a boat under a bridge");
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("status").first()).toContainText("Your e-mail address is confirmed");
  await page.goto(`${service.url}/panel/sign-in?next=/panel/settings/account`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("a boat under a bridge");
  await page.getByRole("button", { name: "Sign in" }).click();

  const section = page.getByRole("region", { name: "Mails about alerts" });
  const isOn = (name: string, on: boolean) =>
    expect(section.getByRole("checkbox", { name })).toBeChecked({ checked: on });
  for (const name of ["Webhook receivers", "Credits and tokens", "API keys"]) await isOn(name, true);
  await expectWellMade(page, "own-account-mails");
  await section.getByText("Credits and tokens that run out").click();
  await section.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Saved.");
  await page.reload();
  await isOn("Credits and tokens", false);
  await isOn("API keys", true);
});

test("a mail's button leads where its text does, and mails and pages lead to the support", async ({ page }) => {
  const mail = await signUp(page, "button@blue.example", "Blue & Sons <i>Ltd</i>");
  expect(mail?.raw).toMatch(/^Reply-To: help@service\.example\r$/m);
  const link = /https?:\S+token=[\w-]{43}/.exec(mail?.text ?? "")?.[0] ?? "";
  await page.setContent(mail?.html ?? "");
  await expect(page.getByRole("link", { name: "help@service.example" })).toHaveAttribute(
    "href",
    "mailto:help@service.example",
  );
  await expect(page.getByRole("link", { name: "Confirm this address" })).toHaveAttribute("href", link);
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Confirm");

  await page.goto(service.url);
  await expect(page.getByRole("link", { name: "Support", exact: true })).toHaveAttribute(
    "href",
    "mailto:help@service.example",
  );
});
