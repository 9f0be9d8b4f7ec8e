import { db } from "@/lib/db/pool";
import { isId } from "@/lib/domain/ids";
import { MAX_LIVE_KEYS } from "@/lib/domain/limits";
import type { ProjectScope } from "@/lib/domain/principal";
import { IS_USABLE } from "@/lib/services/api-keys/find-keys";
import { IS_PLAYGROUND } from "@/lib/services/api-keys/is-playground";

/** A key as a filter names it. */
export interface KeyChoice {
  id: string;
  name: string;
  hint: string;
  isUsable: boolean;
}

export interface KeyChoices {
  keys: KeyChoice[];
  /** Whether the playground ever made one. */
  hasPlayground: boolean;
  /** Whether older keys that are no longer in use were left out. */
  hasMore: boolean;
}

const CHOICE = `SELECT k.id, k.name, k.hint, ${IS_USABLE} AS "isUsable" FROM api_keys k
  WHERE k.account_id = $1 AND k.project_id = $2`;

/**
 * The project's keys to choose among: all that are in use, for an account may have no more of those, then the newest of the others;
 * and the chosen one, wherever it stands. Those of the playground are one choice together.
 * @param chosenId as an address has it
 */
export async function listKeyChoices(
  { accountId, projectId }: ProjectScope,
  chosenId?: string,
  most = MAX_LIVE_KEYS,
): Promise<KeyChoices> {
  const scope = [accountId, projectId];
  const [{ rows }, playground] = await Promise.all([
    db().query<KeyChoice>(
      `${CHOICE} AND NOT ${IS_PLAYGROUND} ORDER BY "isUsable" DESC, k.created_at DESC, k.id DESC LIMIT ${most + 1}`,
      scope,
    ),
    db().query(`${CHOICE} AND ${IS_PLAYGROUND} LIMIT 1`, scope),
  ]);
  const keys = rows.slice(0, most);
  // The database fails at looking for a NUL, which an address may have.
  const isMissing = chosenId !== undefined && isId("apiKey", chosenId) && !keys.some(({ id }) => id === chosenId);
  if (isMissing) keys.push(...(await db().query<KeyChoice>(`${CHOICE} AND k.id = $3`, [...scope, chosenId])).rows);
  return { keys, hasPlayground: playground.rows.length > 0, hasMore: rows.length > most };
}
