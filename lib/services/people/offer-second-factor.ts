import { Secret } from "otpauth";
import QRCode from "qrcode";
import type { User } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { invalidField } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { findSelf } from "@/lib/services/people/find-self";
import { takePresentCode, wrongCode } from "@/lib/services/people/present-code";
import { totpOf } from "@/lib/services/people/second-factor";
import { openOffer, sealOffer } from "@/lib/services/people/second-factor-offer";

const SECRET_BYTES = 20;

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
  const user = await findSelf(userId);
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
  const user = await findSelf(userId);
  await takePresentCode(user, code, nowMs);
  return offer(user, nowMs);
}

/**
 * Throws away a secret that was offered, for who does not want it after all. One that took its place meanwhile stays, and so
 * does a second factor that is on.
 * @param key as it was offered
 */
export async function withdrawSecondFactorOffer(
  userId: string,
  key: string,
  nowMs: number = Date.now(),
): Promise<void> {
  const { totpPendingEncrypted: pending } = await findSelf(userId);
  if (pending === null || openOffer(pending, nowMs) !== key.replaceAll(" ", "")) return;
  await prisma().user.updateMany({
    where: { id: userId, totpPendingEncrypted: pending },
    data: { totpPendingEncrypted: null },
  });
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
