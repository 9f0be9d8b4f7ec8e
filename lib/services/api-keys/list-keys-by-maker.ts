import { db } from "@/lib/db/pool";
import { IS_PLAYGROUND } from "@/lib/services/api-keys/is-playground";

/** A key that goes on when whoever made it is off the team. */
export interface MadeKey {
  id: string;
  name: string;
  hint: string;
  /** The name of its project. */
  project: string;
}

/** The keys of an account that take calls, by the person who made them; but the playground's, which end with their maker. */
export async function listKeysByMaker(accountId: string): Promise<Map<string, MadeKey[]>> {
  const { rows } = await db().query<MadeKey & { userId: string }>(
    `SELECT k.id, k.created_by_id AS "userId", k.name, k.hint, p.name AS project
     FROM projects p JOIN api_keys k ON k.project_id = p.id
     WHERE p.account_id = $1 AND k.created_by_id IS NOT NULL
       AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
       AND NOT ${IS_PLAYGROUND}
     ORDER BY p.created_at, k.created_at, k.id`,
    [accountId],
  );
  return Map.groupBy(rows, ({ userId }) => userId);
}
