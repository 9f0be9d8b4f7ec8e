import { isUniqueViolation } from "@/lib/db/failures";
import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { spellEmail } from "@/lib/domain/email-address";
import { AppError, invalidField, notFound } from "@/lib/domain/errors";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { normalizeEmail } from "@/lib/services/accounts/create-user";
import { findPerson } from "@/lib/services/accounts/find-person";
import { assertNotShutOut } from "@/lib/services/accounts/lock-person";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { enqueueMail, tellByMail } from "@/lib/services/mail/enqueue-mail";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import {
  addressTakenMail,
  changeEmailLink,
  changeEmailMail,
  emailChangeAskedMail,
  emailChangedMail,
} from "@/lib/services/people/mail-texts";
import { revokeAll } from "@/lib/services/people/manage-person-sessions";
import { assertPassword, isPasswordOf, lockPassword } from "@/lib/services/people/prove-password";
import { countAttempt } from "@/lib/services/people/throttle-attempts";
import { findTokenOwner, findUsedToken, issueUserToken, takeEmailToken } from "@/lib/services/people/user-token";

/**
 * Sends a one-time link to the address that a person wants to sign in with from now on, and a notice to the one they have.
 * When the address is somebody's already, its owner gets a mail that says so instead: the answer is the same.
 * @throws AppError VALIDATION_FAILED naming `current` (the password) or `email`, also where no mail can be sent;
 *   RATE_LIMITED
 */
export async function requestEmailChange(
  actor: Actor,
  userId: string,
  input: { current: string; email: string },
): Promise<void> {
  const email = normalizeEmail(input.email);
  if (!isMailConfigured()) throw invalidField("email", "cannot be written to: this service sends no mail");
  const { email: present, passwordHash } = await assertPassword(userId, input.current, "current");
  if (email === spellEmail(present)) throw invalidField("email", "is your address already");
  await countAttempt({ kind: "mail", value: email });
  await countAttempt({ kind: "request", value: `change-email ${userId}` });
  await prisma().$transaction(async (tx) => {
    await lockPassword(tx, userId, passwordHash, "current");
    const isTaken = (await findPerson(tx, email)) !== null;
    const token = await issueUserToken(tx, userId, "change-email", email);
    await enqueueMail(tx, isTaken ? addressTakenMail(email) : changeEmailMail(email, token));
    await enqueueMail(tx, emailChangeAskedMail(present));
    await recordAudit(tx, actor, {
      accountId: null,
      action: "person.request-email-change",
      subject: userId,
      after: { email },
    });
  });
  wakeRelay();
}

/**
 * For the operator, where no mail can be sent: the link that such a mail holds.
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when the new address is somebody's already, and for a person who is shut out
 */
export async function createEmailLink(
  actor: Actor,
  input: { email: string; newEmail: string },
): Promise<{ userId: string; link: string }> {
  const [email, newEmail] = [normalizeEmail(input.email), normalizeEmail(input.newEmail)];
  return prisma().$transaction(async (tx) => {
    const user = await findPerson(tx, email);
    if (!user) throw notFound(`A person with the address ${email}`);
    await assertNotShutOut(tx, user);
    if (await findPerson(tx, newEmail)) throw invalidField("email", "belongs to a user already");
    const token = await issueUserToken(tx, user.id, "change-email", newEmail);
    await recordAudit(tx, actor, {
      accountId: null,
      action: "person.create-email-link",
      subject: user.id,
      after: { email: newEmail },
    });
    return { userId: user.id, link: changeEmailLink(token) };
  });
}

/**
 * Makes the address of a one-time link a person's own: it is confirmed by that. Their other browsers are signed out, and
 * links sent to the old address no longer work. Where they are not signed in it takes their password: whoever reads the
 * mail of an address must not be led to give it to a stranger's account, which their own sign-in would then open. Once more it
 * changes nothing, as after an answer that was lost.
 * @param keep the session of the browser that opened the link, when somebody is signed in there
 * @throws AppError NOT_FOUND when the link does not work (any more), also when the address is somebody's by now;
 *   VALIDATION_FAILED naming `password`; RATE_LIMITED
 */
export async function changeEmail(
  { token, password = "" }: { token: string; password?: string | undefined },
  ip: string | null,
  keep: { userId: string; sessionId: string } | null,
): Promise<void> {
  const owner = await findTokenOwner(prisma(), token, "change-email");
  if (owner === null) {
    const done = await findDoneChange(token);
    if (done !== null && (keep?.userId === done || (await isPasswordOf(done, password)))) return;
    throw goneLink();
  }
  if (keep?.userId !== owner) await assertPassword(owner, password, "password");
  try {
    await prisma().$transaction((tx) => takeLink(tx, token, ip, keep));
  } catch (error) {
    if (isUniqueViolation(error)) throw goneLink();
    throw error;
  }
  wakeRelay();
}

/**
 * Whether such a link takes a password: it is another's than that of the person who is signed in. Null when it does not work
 * (any more).
 */
export async function wantsPassword(token: string, userId: string | null): Promise<boolean | null> {
  const owner = await findTokenOwner(prisma(), token, "change-email");
  return owner === null ? null : owner !== userId;
}

/** Whose address the link has changed, when that is still their address. */
async function findDoneChange(token: string): Promise<string | null> {
  const used = await findUsedToken(prisma(), token, "change-email");
  if (used === null || used.email === null) return null;
  const { userId: id, email } = used;
  return (await prisma().user.count({ where: { id, email, disabledAt: null } })) > 0 ? id : null;
}

async function takeLink(
  tx: Prisma.TransactionClient,
  token: string,
  ip: string | null,
  keep: { userId: string; sessionId: string } | null,
): Promise<void> {
  const taken = await takeEmailToken(tx, token);
  const before = taken && (await tx.user.findFirst({ where: { id: taken.userId, disabledAt: null } }));
  if (!taken || !before) throw goneLink();
  const { userId, email } = taken;
  await tx.user.update({
    where: { id: userId },
    data: { email, emailVerifiedAt: new Date(), totpPendingEncrypted: null },
  });
  const sessions = await revokeAll(tx, userId, keep?.userId === userId ? keep.sessionId : null);
  await tx.userToken.deleteMany({ where: { userId, usedAt: null } });
  await tellByMail(tx, emailChangedMail(before.email));
  const actor: Actor = { kind: before.isStaff ? "staff" : "owner", userId, ...(ip !== null && { ip }) };
  await recordAudit(tx, actor, {
    accountId: null,
    action: "person.change-email",
    subject: userId,
    before: { email: before.email },
    after: { email, sessionsEnded: sessions },
  });
}

function goneLink(): AppError {
  return new AppError("NOT_FOUND", "This link does not work any more. Ask for a new one in your account.");
}
