import { randomUUID } from "node:crypto";
import { type Browser, type BrowserContext, type BrowserContextOptions, expect, type Page } from "playwright/test";
import { suite } from "@/e2e/support/suite";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import type { Role } from "@/lib/domain/panel-actions";
import { createUser } from "@/lib/services/accounts/create-user";
import { hashPassword } from "@/lib/services/accounts/hash-password";
import { openPersonSession } from "@/lib/services/people/person-session";
import { sealSecret } from "@/lib/services/people/sealed-secret";

/** A person of the tests; their session is in the database, as if they had signed in. */
export interface TestPerson {
  userId: string;
  email: string;
  password: string;
  /** Of a session that is open and fresh. */
  sessionToken: string;
}

/** An account for tests of the panel: verified, with a key, and a way to get people of each role. */
export interface PanelAccount extends TestAccount {
  /** Adds a person of that role and opens a session for them. */
  addPerson(role: Role): Promise<TestPerson>;
}

/** One password for all: hashing is slow on purpose, and these people guard nothing. */
const PASSWORD = "a quiet walk by the sea";
let passwordHash: Promise<string> | undefined;

/** Creates an account through the operator's services; quick, for no browser is in it. */
export async function panelAccount(options: Parameters<typeof createTestAccount>[0] = {}): Promise<PanelAccount> {
  const account = await createTestAccount(options);
  return { ...account, addPerson: (role) => personOf(account, role) };
}

/** A new person of that role in an account, with a session. */
export function personOf({ accountId }: Pick<TestAccount, "accountId">, role: Role): Promise<TestPerson> {
  return addPerson(async (tx, userId) => {
    await tx.member.create({ data: { accountId, userId, role } });
  });
}

/** A member of staff with a second factor, and a session. `totpSecret` (base32) makes further codes. */
export async function staffPerson(totpSecret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"): Promise<TestPerson> {
  return addPerson(async (tx, userId) => {
    await tx.user.update({ where: { id: userId }, data: { totpSecretEncrypted: sealSecret(totpSecret) } });
  }, true);
}

type Tx = Parameters<Parameters<ReturnType<typeof prisma>["$transaction"]>[0]>[0];

async function addPerson(join: (tx: Tx, userId: string) => Promise<void>, isStaff = false): Promise<TestPerson> {
  const email = `person-${randomUUID()}@example.test`;
  passwordHash ??= hashPassword(PASSWORD);
  const hash = await passwordHash;
  return prisma().$transaction(async (tx) => {
    const userId = await createUser(tx, { email, passwordHash: hash, isStaff });
    await join(tx, userId);
    const { token } = await openPersonSession(tx, { userId, isStaff }, { ip: "127.0.0.1", userAgent: "test" });
    return { userId, email, password: PASSWORD, sessionToken: token };
  });
}

export interface SignedInOptions extends BrowserContextOptions {
  /** Default: owner. */
  role?: Role;
  /** Default: a new one. */
  account?: PanelAccount;
}

export interface SignedIn {
  page: Page;
  context: BrowserContext;
  account: PanelAccount;
  person: TestPerson;
}

/** A new browser context in which a person of that role is signed in. Close `context` at the end. */
export async function signedInPage(browser: Browser, options: SignedInOptions = {}): Promise<SignedIn> {
  const { role = "owner", account = await panelAccount(), ...contextOptions } = options;
  const person = await account.addPerson(role);
  const context = await browser.newContext({ baseURL: suite.url, ...contextOptions });
  await signInContext(context, person);
  return { page: await context.newPage(), context, account, person };
}

/** A new browser context in which a member of staff is signed in. */
export async function staffPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Omit<SignedIn, "account">> {
  const person = await staffPerson();
  const context = await browser.newContext({ baseURL: suite.url, ...options });
  await signInContext(context, person);
  return { page: await context.newPage(), context, person };
}

/**
 * Gives a browser context the session of a person, and of them alone. Open pages are left first: what they still ask for
 * by themselves would be asked for by the wrong person.
 */
export async function signInContext(context: BrowserContext, person: TestPerson): Promise<void> {
  await Promise.all(context.pages().map((page) => page.goto("about:blank")));
  await context.clearCookies();
  await plantSession(context, person);
}

/** Signs the owner of a new account in, and them alone. */
export async function signInNewOwner(context: BrowserContext): Promise<{ account: PanelAccount; person: TestPerson }> {
  const account = await panelAccount();
  const person = await account.addPerson("owner");
  await signInContext(context, person);
  return { account, person };
}

/** Puts a person's session into a browser, whatever its pages show. */
export async function plantSession(context: BrowserContext, person: TestPerson): Promise<void> {
  await context.addCookies([
    { name: "panel.person", value: person.sessionToken, url: suite.url, httpOnly: true, sameSite: "Lax" },
  ]);
}

/** A session token of a person for calls without a browser: `fetch(url, { headers: cookieOf(person) })`. */
export function cookieOf(person: TestPerson): { Cookie: string } {
  return { Cookie: `panel.person=${person.sessionToken}` };
}

/** Makes the person's sign-in an old one: what asks for a fresh one then asks for the password. */
export async function ageSignIn(person: TestPerson): Promise<void> {
  const { count } = await prisma().userSession.updateMany({
    where: { userId: person.userId },
    data: { confirmedAt: new Date(Date.now() - 3_600_000) },
  });
  expect(count).toBeGreaterThan(0);
}

/** Ends all sessions of the person, in the middle of what they do. */
export async function endSessions(person: TestPerson): Promise<void> {
  const { count } = await prisma().userSession.deleteMany({ where: { userId: person.userId } });
  expect(count).toBeGreaterThan(0);
}

/** Follows the way in that a page shows to somebody who is signed out: it opens a tab of its own, which is closed after. */
export async function signInAgain(page: Page, { email, password }: TestPerson): Promise<void> {
  const [tab] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "Sign in in a new tab" }).click(),
  ]);
  // Returns when the page takes presses (live-pages.ts); a tab that a link opens does not wait for that.
  await tab.waitForLoadState();
  await tab.reload();
  await tab.getByLabel("E-mail").fill(email);
  await tab.getByLabel("Password").fill(password);
  await tab.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(tab).toHaveURL(page.url());
  await tab.close();
}
