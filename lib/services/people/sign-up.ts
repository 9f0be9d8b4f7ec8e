import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { SIGN_UP_CREDITS, SIGN_UP_PLAN } from "@/lib/domain/plans";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { insertAccountWithOwner, readCompanyName } from "@/lib/services/accounts/create-account";
import { normalizeEmail } from "@/lib/services/accounts/create-user";
import { hashPassword } from "@/lib/services/accounts/hash-password";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { recordAudit } from "@/lib/services/accounts/record-audit";
import { enqueueMail } from "@/lib/services/mail/enqueue-mail";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { assertGoodPassword } from "@/lib/services/people/check-password";
import { alreadySignedUpMail, confirmEmailMail } from "@/lib/services/people/mail-texts";
import { countAttempt } from "@/lib/services/people/throttle-attempts";
import { issueUserToken, takeUserToken } from "@/lib/services/people/user-token";

export interface SignUpInput {
  companyName: string;
  email: string;
  password: string;
}

/**
 * Opens an account for a company: the free plan, its first credits, a project, and the person as owner (contract §7). Where
 * mails can be sent, the address has to be confirmed before the first sign-in, and an address that is taken gets a mail
 * instead of an answer that tells of it.
 * @returns whether a mail has to be answered first
 * @throws AppError VALIDATION_FAILED, RATE_LIMITED
 */
export async function signUp(input: SignUpInput, ip: string | null): Promise<{ needsConfirmation: boolean }> {
  const companyName = readCompanyName(input.companyName);
  const email = normalizeEmail(input.email);
  assertGoodPassword(input.password, email);
  await countAttempt({ kind: "request", value: ip });
  const passwordHash = await hashPassword(input.password);
  const needsConfirmation = isMailConfigured();
  try {
    await prisma().$transaction((tx) => openAccount(tx, { companyName, email, passwordHash, ip, needsConfirmation }));
  } catch (error) {
    if (!needsConfirmation || !isTaken(error)) throw error;
    await countAttempt({ kind: "mail", value: email });
    await prisma().$transaction((tx) => enqueueMail(tx, alreadySignedUpMail(email)));
  }
  wakeRelay();
  return { needsConfirmation };
}

interface NewCompany {
  companyName: string;
  email: string;
  /** Null: the person comes through another service. */
  passwordHash: string | null;
  name?: string;
  ip: string | null;
  needsConfirmation: boolean;
}

/** Creates the account in the caller's transaction; returns the person's id. */
export async function openAccount(tx: Prisma.TransactionClient, company: NewCompany): Promise<string> {
  const { companyName, email, passwordHash, name, ip, needsConfirmation } = company;
  const userId = newId("user");
  const actor: Actor = { kind: "owner", userId, ...(ip !== null && { ip }) };
  await insertAccountWithOwner(tx, actor, {
    companyName,
    isVerified: false,
    planId: SIGN_UP_PLAN,
    credits: SIGN_UP_CREDITS,
    owner: {
      id: userId,
      email,
      passwordHash,
      isStaff: false,
      ...(name !== undefined && { name }),
      // Nobody vouches for the address of somebody who signs up alone, but a service that they came through.
      isEmailConfirmed: passwordHash === null,
    },
  });
  if (needsConfirmation) {
    await enqueueMail(tx, confirmEmailMail(email, await issueUserToken(tx, userId, "confirm-email")));
  }
  return userId;
}

/** Confirms an e-mail address by the token that was sent there; false when the token does not work (any more). */
export async function confirmEmail(token: string): Promise<boolean> {
  return prisma().$transaction(async (tx) => {
    const userId = await takeUserToken(tx, token, "confirm-email");
    if (userId === null) return false;
    await tx.user.update({ where: { id: userId }, data: { emailVerifiedAt: new Date() } });
    const actor: Actor = { kind: "owner", userId };
    await recordAudit(tx, actor, { accountId: null, action: "person.confirm-email", subject: userId });
    return true;
  });
}

/** Sends the confirmation again, when there is something to confirm. Answers nothing, so that it tells nothing. */
export async function resendConfirmation(address: string, ip: string | null): Promise<void> {
  const email = normalizeEmail(address);
  await countAttempt({ kind: "request", value: ip });
  await countAttempt({ kind: "mail", value: email });
  await prisma().$transaction(async (tx) => {
    const user = await tx.user.findUnique({ where: { email } });
    if (!user || user.emailVerifiedAt || !isMailConfigured()) return;
    await enqueueMail(tx, confirmEmailMail(email, await issueUserToken(tx, user.id, "confirm-email")));
  });
  wakeRelay();
}

function isTaken(error: unknown): boolean {
  return error instanceof AppError && error.code === "VALIDATION_FAILED" && error.param === "email";
}
