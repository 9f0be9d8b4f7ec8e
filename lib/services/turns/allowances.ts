import { countWords } from "@/lib/domain/count-words";
import { AppError } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { creditsOfEndUser, creditsOfKey, creditsOfProject, type ForWhom } from "@/lib/services/turns/credits-spent";

/** Who may use how much. */
export type AllowedCaller = Pick<Principal, "projectId" | "apiKeyId" | "allowances">;

/**
 * What of a month's allowance is used up, or promised to running work: that of the turn's end user, the key's or the whole
 * project's. Null while something is left of each, and where none is set.
 */
export async function findUsedUp(caller: AllowedCaller, turn: ForWhom): Promise<AppError | null> {
  const [ofEndUser, ofKey, ofProject] = await Promise.all([
    endUserUsedUp(caller, turn),
    keyUsedUp(caller),
    projectUsedUp(caller),
  ]);
  return ofEndUser ?? ofKey ?? ofProject;
}

/**
 * Refuses a turn for which an allowance is used up. Looked at before the turn is accepted and not with it, so that who sets none
 * pays nothing for it: calls that come within the same few milliseconds may pass together, as one turn may cost more than was left.
 * @throws AppError END_USER_LIMIT_REACHED, KEY_LIMIT_REACHED, PROJECT_LIMIT_REACHED
 */
export async function checkAllowances(caller: AllowedCaller, turn: ForWhom): Promise<void> {
  const usedUp = await findUsedUp(caller, turn);
  if (usedUp) throw usedUp;
}

async function endUserUsedUp(
  { projectId, allowances: { endUser } }: AllowedCaller,
  { endUserId, sessionId }: ForWhom,
): Promise<AppError | null> {
  if (endUser === null || (endUserId === undefined && sessionId === undefined)) return null;
  const spent = await creditsOfEndUser(projectId, { endUserId, sessionId }, endUser);
  if (spent === null || spent < endUser) return null;
  return new AppError("END_USER_LIMIT_REACHED", words("end user", endUser, "Settings, Project"));
}

async function keyUsedUp({ projectId, apiKeyId, allowances: { key } }: AllowedCaller): Promise<AppError | null> {
  if (key === null || apiKeyId === null) return null;
  if ((await creditsOfKey(projectId, apiKeyId, key)) < key) return null;
  return new AppError("KEY_LIMIT_REACHED", words("key", key, "API Keys"));
}

async function projectUsedUp({ projectId, allowances: { project } }: AllowedCaller): Promise<AppError | null> {
  if (project === null || (await creditsOfProject(projectId, project)) < project) return null;
  return new AppError("PROJECT_LIMIT_REACHED", words("project", project, "Settings, Project"));
}

function words(whose: string, credits: number, place: string): string {
  return `The ${whose}'s ${countWords(credits, "credit")} of this month are used up, or promised to running work. Wait for that to end or for the next month, or raise the limit in the panel, ${place}.`;
}
