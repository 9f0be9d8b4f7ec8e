/**
 * `active`: takes calls. `retiring`: takes calls until it expires, another key took over. `expired`, `revoked`: takes none.
 */
export type ApiKeyStatus = "active" | "retiring" | "expired" | "revoked";

/** What decides about the status of a key. */
export interface ApiKeyTimes {
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** The key that took over from it. */
  replacedById: string | null;
}

/** A key should be replaced about every 90 days (§5.9). */
export const KEY_ROTATION_DAYS = 90;
/** The longest time that both keys of a rotation take calls. */
export const MAX_ROTATION_OVERLAP_HOURS = 30 * 24;

const DAY_MS = 86_400_000;

/** Revoked goes before expired; a replaced key is retiring for as long as it still works. */
export function apiKeyStatus(key: ApiKeyTimes, now: Date): ApiKeyStatus {
  if (key.revokedAt !== null) return "revoked";
  if (key.expiresAt !== null && key.expiresAt <= now) return "expired";
  return key.replacedById === null ? "active" : "retiring";
}

/** Whole days since it was made. */
export function apiKeyAgeDays({ createdAt }: Pick<ApiKeyTimes, "createdAt">, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - createdAt.getTime()) / DAY_MS));
}

/** Whether its owner should be told to rotate it: it still takes calls, nothing took over, and it is old. */
export function isRotationDue(key: ApiKeyTimes, now: Date): boolean {
  return apiKeyStatus(key, now) === "active" && apiKeyAgeDays(key, now) >= KEY_ROTATION_DAYS;
}
