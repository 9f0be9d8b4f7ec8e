import type { Prisma, User } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/domain/errors";
import { isSecretToken } from "@/lib/domain/secret-token";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { findPerson } from "@/lib/services/accounts/find-person";
import { recordAudit } from "@/lib/services/accounts/record-audit";
import { guessedAt } from "@/lib/services/people/guessed-at";
import { closeSessionOf } from "@/lib/services/people/manage-person-sessions";
import { type BrowserFacts, openPersonSession } from "@/lib/services/people/person-session";
import { takeSecondFactor } from "@/lib/services/people/second-factor";
import {
  type CountedAttempt,
  countAttempt,
  forgetAttempts,
  giveAttemptBack,
} from "@/lib/services/people/throttle-attempts";
import { type PasswordCheck, verifyPassword } from "@/lib/services/people/verify-password";

/** What came of a try to sign in. All that is wrong about e-mail address and password has one name. */
export type SignInResult =
  | { outcome: "signed-in"; token: string; userId: string; isStaff: boolean }
  | { outcome: "wrong" | "code-required" | "code-wrong" | "unconfirmed" }
  | { outcome: "locked"; seconds: number };

export interface SignInInput {
  email: string;
  password: string;
  /** Of the authenticator, or a recovery code; wanted of those who have one. */
  code?: string;
}

/** From where somebody signs in; a session that this browser has already ends. */
export interface SignInBrowser extends BrowserFacts {
  previousToken: string | null;
}

/**
 * Signs a person in with their password. The same work is done for addresses that nobody has, and tries at those are
 * limited as well, so that nothing tells who has an account here.
 */
export async function signIn(input: SignInInput, browser: SignInBrowser, check?: PasswordCheck): Promise<SignInResult> {
  let counted: CountedAttempt | null;
  try {
    counted = await countAttempt({ kind: "address", value: browser.ip });
  } catch (error) {
    return lockedResult(error);
  }
  const result = await tryToSignIn(input, browser, check);
  if (result.outcome !== "wrong" && result.outcome !== "code-wrong") await giveAttemptBack(counted);
  return result;
}

async function tryToSignIn(input: SignInInput, browser: SignInBrowser, check?: PasswordCheck): Promise<SignInResult> {
  const guessed = await guessedAt(input.email, browser.previousToken);
  try {
    await countAttempt(guessed);
  } catch (error) {
    return lockedResult(error);
  }
  const user = await findPerson(prisma(), input.email);
  const isRight = await verifyPassword(user?.passwordHash ?? null, input.password, check);
  if (!user || !isRight || user.disabledAt) return { outcome: "wrong" };
  if (isMailConfigured() && !user.emailVerifiedAt) return { outcome: "unconfirmed" };
  // What is missing: the try stays counted, for a right password alone must not buy further guesses at the code.
  const second = await checkSecondFactor(user, input.code);
  if (second) return { outcome: second };
  await forgetAttempts(guessed);
  return openSession(user, browser, "password");
}

/** A person as they were when they proved who they are. */
type ProvenPerson = Pick<User, "id" | "email" | "isStaff" | "passwordHash" | "totpSecretEncrypted">;

/**
 * Opens a session for a person who has proved who they are, and ends the one that the browser had: a session that
 * somebody else put there is worth nothing (fixation). What they proved must still hold: a password that is changed
 * meanwhile ends the other sessions, and this one would come after it.
 */
export async function openSession(
  user: ProvenPerson,
  browser: SignInBrowser,
  how: "password" | "google" | "github",
): Promise<Extract<SignInResult, { outcome: "signed-in" }> | { outcome: "wrong" }> {
  const token = await prisma().$transaction(async (tx) => {
    if (!(await lockUnchanged(tx, user))) return null;
    if (how !== "password" && !(await isJoined(tx, user.id, how))) return null;
    const opened = await openPersonSession(tx, { userId: user.id, isStaff: user.isStaff }, browser);
    if (browser.previousToken !== null && isSecretToken(browser.previousToken)) {
      await closeSessionOf(tx, browser.previousToken, { userId: user.id, sessionId: opened.sessionId });
    }
    const actor = {
      kind: user.isStaff ? "staff" : "owner",
      userId: user.id,
      ...(browser.ip !== null && { ip: browser.ip }),
    } as const;
    await recordAudit(tx, actor, {
      accountId: null,
      action: "person.sign-in",
      subject: user.id,
      after: { sessionId: opened.sessionId, how },
    });
    return opened.token;
  });
  if (token === null) return { outcome: "wrong" };
  return { outcome: "signed-in", token, userId: user.id, isStaff: user.isStaff };
}

/** Whether a person is as they were; what ends all of their sessions changes their row first, and waits until this one is there. */
async function lockUnchanged(tx: Prisma.TransactionClient, user: ProvenPerson): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users
     WHERE id = ${user.id} AND email = ${user.email} AND disabled_at IS NULL
       AND password_hash IS NOT DISTINCT FROM ${user.passwordHash}
       AND totp_secret_encrypted IS NOT DISTINCT FROM ${user.totpSecretEncrypted}
       FOR NO KEY UPDATE`;
  return rows.length === 1;
}

/** Whether a person still signs in through that service: it may have been taken off their account meanwhile. */
async function isJoined(tx: Prisma.TransactionClient, userId: string, provider: string): Promise<boolean> {
  return (await tx.userIdentity.count({ where: { userId, provider, removedAt: null } })) > 0;
}

/** What is missing of the second factor; null when nothing is. */
export async function checkSecondFactor(
  user: Pick<User, "id" | "totpSecretEncrypted">,
  code: string | undefined,
): Promise<"code-required" | "code-wrong" | null> {
  const { id: userId, totpSecretEncrypted } = user;
  if (totpSecretEncrypted === null) return null;
  if (!code?.trim()) return "code-required";
  return (await takeSecondFactor({ userId, totpSecretEncrypted }, code)) ? null : "code-wrong";
}

/** What a lock is to whoever signs in; other errors go on. */
export function lockedResult(error: unknown): SignInResult {
  if (error instanceof AppError && error.code === "RATE_LIMITED") {
    return { outcome: "locked", seconds: error.retryAfterSeconds ?? 1 };
  }
  throw error;
}
