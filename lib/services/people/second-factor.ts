import { Secret, TOTP } from "otpauth";
import { db } from "@/lib/db/pool";
import { hashSecretToken } from "@/lib/domain/secret-token";
import { openSecret } from "@/lib/services/people/sealed-secret";

/** Codes of an authenticator app (RFC 6238) and recovery codes, which stand in for them. */

const STEP_SECONDS = 30;
/** Steps before and after the present one whose code still counts: clocks differ. */
const WINDOW_STEPS = 1;
const CODE_PATTERN = /^\d{6}$/;
const RECOVERY_PATTERN = /^[0-9a-z]{10}$/;

/** The algorithm that all authenticator apps know: SHA-1, six digits, 30 seconds. */
export function totpOf(secretBase32: string, label: { issuer?: string; email?: string } = {}): TOTP {
  return new TOTP({
    issuer: label.issuer ?? "",
    label: label.email ?? "",
    algorithm: "SHA1",
    digits: 6,
    period: STEP_SECONDS,
    secret: Secret.fromBase32(secretBase32),
  });
}

/**
 * The time step of a code, when it is one of a secret at a time; null when it is wrong.
 * @param nowMs since the epoch
 */
export function stepOfCode(secretBase32: string, code: string, nowMs: number): number | null {
  const digits = code.replace(/\s/g, "");
  if (!CODE_PATTERN.test(digits)) return null;
  const delta = totpOf(secretBase32).validate({ token: digits, timestamp: nowMs, window: WINDOW_STEPS });
  return delta === null ? null : Math.floor(nowMs / 1_000 / STEP_SECONDS) + delta;
}

/** A recovery code as it is kept: without the dash and spaces that people read it by. */
export function hashRecoveryCode(code: string): string {
  return hashSecretToken(plainRecoveryCode(code));
}

/**
 * Takes a code of a person's authenticator, or one of their recovery codes. Each is taken once, also when it comes twice at
 * the same time.
 */
export async function takeSecondFactor(
  person: { userId: string; totpSecretEncrypted: string },
  code: string,
  nowMs: number = Date.now(),
): Promise<boolean> {
  if (RECOVERY_PATTERN.test(plainRecoveryCode(code))) return takeRecoveryCode(person.userId, code);
  const step = stepOfCode(openSecret(person.totpSecretEncrypted), code, nowMs);
  if (step === null) return false;
  const { rowCount } = await db().query({
    name: "take-totp-step",
    text: "UPDATE users SET totp_last_step = $2 WHERE id = $1 AND (totp_last_step IS NULL OR totp_last_step < $2)",
    values: [person.userId, step],
  });
  return rowCount === 1;
}

async function takeRecoveryCode(userId: string, code: string): Promise<boolean> {
  const { rowCount } = await db().query({
    name: "take-recovery-code",
    text: "UPDATE recovery_codes SET used_at = now() WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL",
    values: [userId, hashRecoveryCode(code)],
  });
  return rowCount === 1;
}

function plainRecoveryCode(code: string): string {
  return code.toLowerCase().replace(/[\s-]/g, "");
}
