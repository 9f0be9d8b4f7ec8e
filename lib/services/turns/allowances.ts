import { countWords } from "@/lib/domain/count-words";
import { AppError } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { creditsOfEndUser, creditsOfKey, type ForWhom } from "@/lib/services/turns/credits-spent";

/** Who may use how much. */
export type AllowedCaller = Pick<Principal, "projectId" | "apiKeyId" | "endUserCredits" | "keyCredits">;

/**
 * What of a month's allowance is used up, or promised to running work: that of the turn's end user, or the key's. Null while
 * something is left of each, and where none is set.
 */
export async function findUsedUp(caller: AllowedCaller, turn: ForWhom): Promise<AppError | null> {
  return (await endUserUsedUp(caller, turn)) ?? (await keyUsedUp(caller));
}

/**
 * Refuses a turn for which an allowance is used up. Looked at before the turn is accepted and not with it, so that who sets none
 * pays nothing for it: calls that come within the same few milliseconds may pass together, as one turn may cost more than was left.
 * @throws AppError END_USER_LIMIT_REACHED, KEY_LIMIT_REACHED
 */
export async function checkAllowances(caller: AllowedCaller, turn: ForWhom): Promise<void> {
  const usedUp = await findUsedUp(caller, turn);
  if (usedUp) throw usedUp;
}

async function endUserUsedUp(
  { projectId, endUserCredits }: AllowedCaller,
  { endUserId, sessionId }: ForWhom,
): Promise<AppError | null> {
  if (endUserCredits === null || (endUserId === undefined && sessionId === undefined)) return null;
  const spent = await creditsOfEndUser(projectId, { endUserId, sessionId });
  if (spent === null || spent < endUserCredits) return null;
  return new AppError("END_USER_LIMIT_REACHED", words("end user", endUserCredits, "Settings, Project"));
}

async function keyUsedUp({ projectId, apiKeyId, keyCredits }: AllowedCaller): Promise<AppError | null> {
  if (keyCredits === null || apiKeyId === null) return null;
  if ((await creditsOfKey(projectId, apiKeyId)) < keyCredits) return null;
  return new AppError("KEY_LIMIT_REACHED", words("key", keyCredits, "API Keys"));
}

function words(whose: string, credits: number, place: string): string {
  return `The ${whose}'s ${countWords(credits, "credit")} of this month are used up, or promised to running work. Wait for that to end or for the next month, or raise the limit in the panel, ${place}.`;
}
