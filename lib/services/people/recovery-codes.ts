import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { randomBase62 } from "@/lib/domain/api-key";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { tellByMail } from "@/lib/services/mail/enqueue-mail";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { findSelf } from "@/lib/services/people/find-self";
import { recoveryCodesMail } from "@/lib/services/people/mail-texts";
import { lockSecondFactor, takePresentCode } from "@/lib/services/people/present-code";
import { hashRecoveryCode } from "@/lib/services/people/second-factor";

const RECOVERY_CODES = 10;
const RECOVERY_CODE_CHARACTERS = 10;

/**
 * New recovery codes, for a present code; the older ones no longer work.
 * @throws AppError VALIDATION_FAILED naming `code`, NOT_FOUND without a second factor, RATE_LIMITED
 */
export async function renewRecoveryCodes(
  actor: Actor,
  userId: string,
  code: string,
  nowMs: number = Date.now(),
): Promise<{ recoveryCodes: string[] }> {
  const user = await findSelf(userId);
  await takePresentCode(user, code, nowMs);
  const recoveryCodes = await prisma().$transaction(async (tx) => {
    await lockSecondFactor(tx, user);
    await recordAudit(tx, actor, { accountId: null, action: "person.renew-recovery-codes", subject: userId });
    await tellByMail(tx, recoveryCodesMail(user.email));
    return replaceRecoveryCodes(tx, userId);
  });
  wakeRelay();
  return { recoveryCodes };
}

/** How many recovery codes a person has left. */
export async function countRecoveryCodes(userId: string): Promise<number> {
  return prisma().recoveryCode.count({ where: { userId, usedAt: null } });
}

/** New ones in place of all that a person had, in the caller's transaction; as they are shown, once. */
export async function replaceRecoveryCodes(tx: Prisma.TransactionClient, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomBase62(RECOVERY_CODE_CHARACTERS).toLowerCase());
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({ data: codes.map((code) => ({ userId, codeHash: hashRecoveryCode(code) })) });
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}
