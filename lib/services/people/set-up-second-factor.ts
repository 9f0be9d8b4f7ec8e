import type { Prisma, User } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { type AppError, invalidField } from "@/lib/domain/errors";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { tellByMail } from "@/lib/services/mail/enqueue-mail";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { findSelf } from "@/lib/services/people/find-self";
import { secondFactorMail } from "@/lib/services/people/mail-texts";
import { revokeAll } from "@/lib/services/people/manage-person-sessions";
import { lockSecondFactor, takePresentCode } from "@/lib/services/people/present-code";
import { replaceRecoveryCodes } from "@/lib/services/people/recovery-codes";
import { sealSecret } from "@/lib/services/people/sealed-secret";
import { stepOfCode } from "@/lib/services/people/second-factor";
import { openOffer } from "@/lib/services/people/second-factor-offer";
import { countAttempt, forgetAttempts } from "@/lib/services/people/throttle-attempts";

/**
 * Switches the second factor on, or moves it, with a code of the secret that was offered; other browsers are signed out.
 * @returns recovery codes, each good for one sign-in; they exist nowhere else
 * @throws AppError VALIDATION_FAILED naming `code`
 */
export async function enableSecondFactor(
  actor: Actor,
  self: { userId: string; sessionId: string },
  code: string,
  nowMs: number = Date.now(),
): Promise<{ recoveryCodes: string[] }> {
  const { userId, sessionId } = self;
  const user = await findSelf(userId);
  await countAttempt({ kind: "proof", value: userId });
  const pending = user.totpPendingEncrypted;
  // Whoever took an offer and was left without the answer presses once more, with recovery codes that they never saw.
  if (pending === null && user.totpSecretEncrypted !== null) throw takenOffer();
  const secret = pending === null ? null : openOffer(pending, nowMs);
  if (secret === null) throw goneOffer();
  const step = stepOfCode(secret, code, nowMs);
  if (step === null) throw invalidField("code", "is wrong: enter the six digits that your app shows now");
  const recoveryCodes = await prisma().$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      // Who has an offer was allowed to take it: they had no second factor, or gave a code of it.
      where: { id: userId, totpSecretEncrypted: user.totpSecretEncrypted, totpPendingEncrypted: pending },
      data: { totpSecretEncrypted: sealSecret(secret), totpPendingEncrypted: null, totpLastStep: step },
    });
    if (count === 0) throw goneOffer();
    await revokeAll(tx, userId, sessionId);
    const isNew = user.totpSecretEncrypted === null;
    const action = isNew ? "person.enable-second-factor" : "person.move-second-factor";
    await recordAudit(tx, actor, { accountId: null, action, subject: userId });
    await tellByMail(tx, secondFactorMail(user.email, isNew ? "on" : "moved"));
    return replaceRecoveryCodes(tx, userId);
  });
  wakeRelay();
  await forgetAttempts({ kind: "proof", value: userId });
  return { recoveryCodes };
}

/**
 * Switches the second factor off, for a present code. Staff cannot.
 * @throws AppError NOT_FOUND without a second factor; VALIDATION_FAILED naming `code`, also for staff; RATE_LIMITED
 */
export async function disableSecondFactor(
  actor: Actor,
  userId: string,
  code: string,
  nowMs: number = Date.now(),
): Promise<void> {
  const user = await findSelf(userId);
  if (user.isStaff) throw invalidField("code", "is wanted of all staff");
  await takePresentCode(user, code, nowMs);
  await prisma().$transaction(async (tx) => {
    await lockSecondFactor(tx, user);
    await removeSecondFactor(tx, user);
    await recordAudit(tx, actor, { accountId: null, action: "person.disable-second-factor", subject: userId });
  });
  wakeRelay();
}

/** Takes a person's second factor off in the caller's transaction, with what was offered and the recovery codes. */
export async function removeSecondFactor(
  tx: Prisma.TransactionClient,
  { id, email, totpSecretEncrypted }: Pick<User, "id" | "email" | "totpSecretEncrypted">,
): Promise<void> {
  await tx.user.update({
    where: { id },
    data: { totpSecretEncrypted: null, totpPendingEncrypted: null, totpLastStep: null },
  });
  await tx.recoveryCode.deleteMany({ where: { userId: id } });
  if (totpSecretEncrypted !== null) await tellByMail(tx, secondFactorMail(email, "off"));
}

function takenOffer(): AppError {
  const next = "Load the page again, and make new recovery codes there unless you have kept those that came with it";
  return invalidField("code", `is not wanted any more: your second factor is on. ${next}`);
}

function goneOffer(): AppError {
  return invalidField("code", "is of an offer that is no longer open: start again");
}
