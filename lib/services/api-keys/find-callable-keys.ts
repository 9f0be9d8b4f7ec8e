import { logDb } from "@/lib/db/pool";
import { IS_USABLE, MAY_CALL } from "@/lib/services/api-keys/find-keys";

/**
 * Which of these keys may still make calls: for answers that take long. Looks only: it takes no token, and is no use of a key.
 * @returns the ids of those that may
 */
export async function findCallableKeys(ids: string[]): Promise<Set<string>> {
  const { rows } = await logDb().query<{ id: string }>({
    name: "find-callable-keys",
    text: `
      SELECT k.id FROM unnest($1::text[]) AS asked (id)
        JOIN api_keys k ON k.id = asked.id
        JOIN projects p ON p.id = k.project_id
        JOIN accounts a ON a.id = k.account_id
       WHERE ${IS_USABLE} AND ${MAY_CALL}`,
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}
