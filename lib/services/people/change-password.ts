import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";
import { AppError, invalidField, notFound } from "@/lib/domain/errors";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { normalizeEmail } from "@/lib/services/accounts/create-user";
import { findPerson } from "@/lib/services/accounts/find-person";
import { hashPassword } from "@/lib/services/accounts/hash-password";
import { assertNotShutOut } from "@/lib/services/accounts/lock-person";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { enqueueMail } from "@/lib/services/mail/enqueue-mail";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { assertGoodPassword } from "@/lib/services/people/check-password";
import { findSelf } from "@/lib/services/people/find-self";
import { resetPasswordLink } from "@/lib/services/people/mail-texts";
import { assertPassword, isPasswordOf, isWrongPassword, lockPassword } from "@/lib/services/people/prove-password";
import { endPassword, setPassword } from "@/lib/services/people/set-password";
import { removeSecondFactor } from "@/lib/services/people/set-up-second-factor";
import { countAttempt, forgetAttempts } from "@/lib/services/people/throttle-attempts";
import { findTokenOwner, findUsedToken, issueUserToken, takeUserToken } from "@/lib/services/people/user-token";
import { verifyPassword } from "@/lib/services/people/verify-password";

/** Who changes what is theirs: the person in this session. */
interface Self {
  userId: string;
  sessionId: string;
}

/**
 * Proves that the person in front of a session is still the one: their sign-in is fresh again. Wrong tries count as those
 * at the sign-in do.
 * @throws AppError VALIDATION_FAILED naming `password`, RATE_LIMITED
 */
export async function confirmPassword(self: Self, password: string): Promise<void> {
  await assertPassword(self.userId, password, "password");
  await prisma().$executeRaw`
    UPDATE user_sessions SET confirmed_at = now() WHERE id = ${self.sessionId} AND user_id = ${self.userId}`;
}

/**
 * Changes a person's password; their other browsers are signed out.
 * @throws AppError VALIDATION_FAILED naming `current` or `password`, RATE_LIMITED
 */
export async function changePassword(
  actor: Actor,
  self: Self,
  input: { current: string; password: string },
): Promise<void> {
  const user = await assertPassword(self.userId, input.current, "current").catch(async (error: unknown) => {
    // Whoever changed it and was left without the answer presses once more.
    if (isWrongPassword(error) && (await isChangedTo(self.userId, input.password))) throw changedAlready();
    throw error;
  });
  assertGoodPassword(input.password, user.email);
  const passwordHash = await hashPassword(input.password);
  await prisma().$transaction(async (tx) => {
    await lockPassword(tx, self.userId, user.passwordHash, "current");
    await setPassword(tx, actor, {
      userId: self.userId,
      email: user.email,
      passwordHash,
      keepSessionId: self.sessionId,
    });
    await tx.$executeRaw`UPDATE user_sessions SET confirmed_at = now() WHERE id = ${self.sessionId}`;
  });
  wakeRelay();
}

/** Within that time somebody presses again whose first press got no answer. */
const LOST_FOR_MS = 3_600_000;

/** Whether it was changed to that a short while ago: else each try of the old one would be a second guess, which nobody counts. */
async function isChangedTo(userId: string, password: string): Promise<boolean> {
  const since = new Date((await databaseNow(prisma())).getTime() - LOST_FOR_MS);
  const change = { subject: userId, action: "person.change-password", createdAt: { gt: since } };
  if ((await prisma().auditEntry.count({ where: change })) === 0) return false;
  const { passwordHash } = await findSelf(userId);
  return passwordHash !== null && (await verifyPassword(passwordHash, password));
}

function changedAlready(): AppError {
  return invalidField(
    "password",
    "is your password already: it was changed, and the one before does not work any more",
  );
}

/**
 * Sends a one-time link for a new password, when somebody has that address. Answers nothing, so that it tells nothing.
 * @throws AppError VALIDATION_FAILED, RATE_LIMITED
 */
export async function requestPasswordReset(address: string, ip: string | null): Promise<void> {
  const email = normalizeEmail(address);
  await countAttempt({ kind: "request", value: ip });
  await countAttempt({ kind: "mail", value: email });
  if (!isMailConfigured()) return;
  await prisma().$transaction((tx) => enqueueMail(tx, { ask: "reset-password", email, ip }));
  wakeRelay();
}

/**
 * For the operator: a one-time link for a new password; with `removeSecondFactor` for people who lost theirs, too, whose
 * password ends at once: whoever knew it would need nothing else until the link is used.
 * @throws AppError NOT_FOUND; VALIDATION_FAILED for a person who is shut out, whom no password lets in
 */
export async function createPasswordLink(
  actor: Actor,
  input: { email: string; removeSecondFactor?: boolean },
): Promise<{ userId: string; link: string }> {
  const email = normalizeEmail(input.email);
  return prisma().$transaction(async (tx) => {
    const user = await findPerson(tx, email);
    if (!user) throw notFound(`A person with the address ${email}`);
    await assertNotShutOut(tx, user);
    if (input.removeSecondFactor) {
      await removeSecondFactor(tx, user);
      await endPassword(tx, user.id, { passwordHash: null, keepSessionId: null });
    }
    const token = await issueUserToken(tx, user.id, "reset-password");
    await recordAudit(tx, actor, {
      accountId: null,
      action: "person.create-password-link",
      subject: user.id,
      after: { removesSecondFactor: input.removeSecondFactor ?? false },
    });
    return { userId: user.id, link: resetPasswordLink(token) };
  });
}

/** Whether a link for a new password still works; leaves it as it is. */
export async function isPasswordLinkGood(token: string): Promise<boolean> {
  return (await findTokenOwner(prisma(), token, "reset-password")) !== null;
}

/**
 * Sets a new password by a one-time link; every browser is signed out, and the address counts as confirmed. A second factor
 * stays. Once more with that password it changes nothing, as after an answer that was lost.
 * @throws AppError VALIDATION_FAILED naming `password`; NOT_FOUND when the link does not work (any more)
 */
export async function resetPassword(input: { token: string; password: string }, ip: string | null): Promise<void> {
  if (await isResetAlready(input)) return;
  const userId = await findTokenOwner(prisma(), input.token, "reset-password");
  const user = userId === null ? null : await prisma().user.findUnique({ where: { id: userId } });
  if (!user) throw goneLink();
  assertGoodPassword(input.password, user.email);
  const passwordHash = await hashPassword(input.password);
  await prisma().$transaction(async (tx) => {
    if ((await takeUserToken(tx, input.token, "reset-password")) === null) throw goneLink();
    const actor: Actor = { kind: user.isStaff ? "staff" : "owner", userId: user.id, ...(ip !== null && { ip }) };
    await setPassword(tx, actor, { userId: user.id, email: user.email, passwordHash, keepSessionId: null });
    await tx.user.updateMany({ where: { id: user.id, emailVerifiedAt: null }, data: { emailVerifiedAt: new Date() } });
  });
  // With a second factor the mailbox is half of what it takes: links must not buy further guesses at the code.
  if (user.totpSecretEncrypted === null) await forgetAttempts({ kind: "account", value: user.email });
  wakeRelay();
}

/** Whether the link has set that password. */
async function isResetAlready({ token, password }: { token: string; password: string }): Promise<boolean> {
  const used = await findUsedToken(prisma(), token, "reset-password");
  return used !== null && isPasswordOf(used.userId, password);
}

function goneLink(): AppError {
  return new AppError("NOT_FOUND", "This link does not work any more. Ask for a new one.");
}
