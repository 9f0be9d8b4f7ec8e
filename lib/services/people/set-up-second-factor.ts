import { Secret } from "otpauth";
import QRCode from "qrcode";
import type { Prisma, User } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { randomBase62 } from "@/lib/domain/api-key";
import { AppError, invalidField } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { tellByMail } from "@/lib/services/mail/enqueue-mail";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { recoveryCodesMail, secondFactorMail } from "@/lib/services/people/mail-texts";
import { revokeAll } from "@/lib/services/people/manage-person-sessions";
import { sealSecret } from "@/lib/services/people/sealed-secret";
import { hashRecoveryCode, stepOfCode, takeSecondFactor, totpOf } from "@/lib/services/people/second-factor";
import { openOffer, sealOffer } from "@/lib/services/people/second-factor-offer";
import { countAttempt, forgetAttempts } from "@/lib/services/people/throttle-attempts";

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_CODE_CHARACTERS = 10;

/** What an authenticator app needs: a picture to scan, or the key to type. */
export interface SecondFactorOffer {
  /** base32, in groups of four. */
  key: string;
  /** An SVG as a data address. */
  qrCode: string;
}

/**
 * Offers a person a new secret for their authenticator. Nothing changes until a code of it comes (`enableSecondFactor`), within
 * half an hour.
 * @throws AppError VALIDATION_FAILED when they have a second factor already
 */
export async function offerSecondFactor(userId: string, nowMs: number = Date.now()): Promise<SecondFactorOffer> {
  const user = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
  if (user.totpSecretEncrypted !== null) throw invalidField("code", "is asked for already: move it to another app");
  return offer(user, nowMs);
}

/**
 * Offers a person who has a second factor a secret for another app. It takes a code of the present one, or a recovery code:
 * the password alone must not move it. The present one works until a code of the new one comes (`enableSecondFactor`).
 * @throws AppError VALIDATION_FAILED naming `code`, NOT_FOUND without a second factor, RATE_LIMITED
 */
export async function moveSecondFactor(
  userId: string,
  code: string,
  nowMs: number = Date.now(),
): Promise<SecondFactorOffer> {
  const user = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
  await takePresentCode(user, code, nowMs);
  return offer(user, nowMs);
}

/** What changes a second factor takes a code of it, or a recovery code: an open session and the password are not enough. */
async function takePresentCode(
  { id: userId, totpSecretEncrypted, email }: Pick<User, "id" | "totpSecretEncrypted" | "email">,
  code: string,
  nowMs: number,
): Promise<void> {
  if (totpSecretEncrypted === null) throw nothingToChange();
  await countAttempt({ kind: "account", value: email });
  if (!(await takeSecondFactor({ userId, totpSecretEncrypted }, code, nowMs))) throw wrongCode();
  await forgetAttempts({ kind: "account", value: email });
}

async function offer(
  user: Pick<User, "id" | "email" | "totpSecretEncrypted">,
  nowMs: number,
): Promise<SecondFactorOffer> {
  const { id, totpSecretEncrypted } = user;
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  const { count } = await prisma().user.updateMany({
    // One that is switched on or moved meanwhile takes a code of its own before another is offered.
    where: { id, totpSecretEncrypted },
    data: { totpPendingEncrypted: sealOffer(secret, nowMs) },
  });
  if (count === 0) throw wrongCode();
  const uri = totpOf(secret, { issuer: env().SERVICE_NAME, email: user.email }).toString();
  const svg = await QRCode.toString(uri, { type: "svg", margin: 2 });
  return {
    key: secret.replace(/(.{4})(?=.)/g, "$1 "),
    qrCode: `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`,
  };
}

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
  const user = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
  await countAttempt({ kind: "account", value: user.email });
  const pending = user.totpPendingEncrypted;
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
  await forgetAttempts({ kind: "account", value: user.email });
  return { recoveryCodes };
}

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
  const user = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
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
  const user = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
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

/** How many recovery codes a person has left. */
export async function countRecoveryCodes(userId: string): Promise<number> {
  return prisma().recoveryCode.count({ where: { userId, usedAt: null } });
}

/** Holds the second factor whose code was taken: that code must not change one which took its place meanwhile. */
async function lockSecondFactor(
  tx: Prisma.TransactionClient,
  { id, totpSecretEncrypted }: Pick<User, "id" | "totpSecretEncrypted">,
): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${id} AND totp_secret_encrypted = ${totpSecretEncrypted} FOR NO KEY UPDATE`;
  if (rows.length === 0) throw wrongCode();
}

function goneOffer(): AppError {
  return invalidField("code", "is of an offer that is no longer open: start again");
}

function wrongCode(): AppError {
  return invalidField("code", "is wrong or was used already: enter the one that your app shows next");
}

function nothingToChange(): AppError {
  return new AppError("NOT_FOUND", "There is no second factor to change.");
}

async function replaceRecoveryCodes(tx: Prisma.TransactionClient, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomBase62(RECOVERY_CODE_CHARACTERS).toLowerCase());
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({ data: codes.map((code) => ({ userId, codeHash: hashRecoveryCode(code) })) });
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}
