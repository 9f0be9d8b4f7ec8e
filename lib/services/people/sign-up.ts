import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/domain/errors";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { readCompanyName } from "@/lib/services/accounts/create-account";
import { normalizeEmail } from "@/lib/services/accounts/create-user";
import { hashPassword } from "@/lib/services/accounts/hash-password";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { recordAudit } from "@/lib/services/accounts/record-audit";
import { enqueueMail } from "@/lib/services/mail/enqueue-mail";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { assertGoodPassword } from "@/lib/services/people/check-password";
import { openAccount } from "@/lib/services/people/open-account";
import { assertPassword } from "@/lib/services/people/prove-password";
import { countAttempt } from "@/lib/services/people/throttle-attempts";
import { findTokenOwner, takeUserToken } from "@/lib/services/people/user-token";

export interface SignUpInput {
  companyName: string;
  email: string;
  password: string;
}

/**
 * Opens an account for a company: the free plan, its first credits, a project, and the person as owner (contract §7). Where
 * mails can be sent, the address has to be confirmed before the first sign-in, the account is opened in the background, and
 * an address that is taken gets a mail instead of an answer that tells of it.
 * @returns whether a mail has to be answered first
 * @throws AppError VALIDATION_FAILED, RATE_LIMITED
 */
export async function signUp(input: SignUpInput, ip: string | null): Promise<{ needsConfirmation: boolean }> {
  const companyName = readCompanyName(input.companyName);
  const email = normalizeEmail(input.email);
  assertGoodPassword(input.password, email);
  await countAttempt({ kind: "request", value: ip });
  const needsConfirmation = isMailConfigured();
  if (needsConfirmation) await countAttempt({ kind: "mail", value: email });
  const company = { companyName, email, passwordHash: await hashPassword(input.password), ip };
  await prisma().$transaction(async (tx) => {
    if (needsConfirmation) await enqueueMail(tx, { ask: "sign-up", ...company });
    else await openAccount(tx, company);
  });
  wakeRelay();
  return { needsConfirmation };
}

/** Whether a link that confirms an address still works; leaves it as it is. */
export async function isConfirmationGood(token: string): Promise<boolean> {
  return (await findTokenOwner(prisma(), token, "confirm-email")) !== null;
}

/**
 * Confirms an e-mail address by the token that was sent there and the password of the sign-up: whoever reads the mail of an
 * address must not be led to open an account for a stranger who signed up with it.
 * @throws AppError NOT_FOUND when the link does not work (any more); VALIDATION_FAILED naming `password`; RATE_LIMITED
 */
export async function confirmEmail(input: { token: string; password: string }): Promise<void> {
  const owner = await findTokenOwner(prisma(), input.token, "confirm-email");
  if (owner === null) throw goneLink();
  await assertPassword(owner, input.password, "password");
  await prisma().$transaction(async (tx) => {
    const userId = await takeUserToken(tx, input.token, "confirm-email");
    if (userId === null) throw goneLink();
    await tx.user.update({ where: { id: userId }, data: { emailVerifiedAt: new Date() } });
    const actor: Actor = { kind: "owner", userId };
    await recordAudit(tx, actor, { accountId: null, action: "person.confirm-email", subject: userId });
  });
}

function goneLink(): AppError {
  return new AppError("NOT_FOUND", "This link does not work any more. Sign in: a new one can be sent from there.");
}

/** Sends the confirmation again, when there is something to confirm. Answers nothing, so that it tells nothing. */
export async function resendConfirmation(address: string, ip: string | null): Promise<void> {
  const email = normalizeEmail(address);
  await countAttempt({ kind: "request", value: ip });
  await countAttempt({ kind: "mail", value: email });
  if (!isMailConfigured()) return;
  await prisma().$transaction((tx) => enqueueMail(tx, { ask: "confirm-email", email }));
  wakeRelay();
}
