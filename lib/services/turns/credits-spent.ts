import { db } from "@/lib/db/pool";
import type { TurnInput } from "@/lib/services/turns/turn-input";

/** What is used of a calendar month (UTC) and what running work was promised, by sums that are kept anyway. */

/** For whom a turn is: its end user, or else that of the session which it continues. */
export type ForWhom = Pick<TurnInput, "endUserId" | "sessionId">;

const THIS_MONTH = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";

/** The project `$1` and its account. */
const PROJECT = "projects p JOIN accounts a ON a.id = p.account_id AND p.id = $1";

/** Turns of the project `$1` that are queued or running, by its sessions that are: nobody else's backlog is looked at. */
const RUNNING = `
  FROM sessions s JOIN turns t ON t.session_id = s.id AND t.status IN ('queued', 'running')
  WHERE s.project_id = $1 AND s.status IN ('started', 'resumed')`;

/**
 * Used of the month, with what of `RUNNING` was promised. That is added up only where it could matter: the account's whole
 * promise is known, and is no less. So a backlog of thousands is read near the limit alone, and not by each call.
 * @param used what finished work cost
 * @param whose of `RUNNING`, a condition
 * @param limit the parameter below which more than was promised may be said; null: never
 */
function spent(used: string, whose: string, limit: string): string {
  const promised = `coalesce((SELECT sum(t.credits_reserved) ${RUNNING} AND ${whose}), 0)`;
  return `(CASE WHEN ${used} + a.credit_reserved < ${limit}::float8 THEN ${used} + a.credit_reserved
           ELSE ${used} + ${promised} END)::float8 AS spent`;
}

const OF_END_USER = {
  name: "credits-of-end-user",
  text: `
    WITH who AS (
      SELECT coalesce($3::text, (SELECT end_user_id FROM sessions WHERE id = $4 AND project_id = $1)) AS id
    ), used AS (
      SELECT coalesce((
        SELECT m.credits FROM usage_months m WHERE m.project_id = $1 AND m.month = ${THIS_MONTH} AND m.end_user_id = who.id
      ), 0) AS credits FROM who
    )
    SELECT ${spent("used.credits", "s.end_user_id = who.id", "$2")} FROM ${PROJECT}, who, used WHERE who.id IS NOT NULL`,
};

/** A key that took over from another goes on with what that one had left. */
const OF_KEY = {
  name: "credits-of-key",
  text: `
    WITH RECURSIVE line AS (
      SELECT $3::text AS id
      UNION SELECT k.id FROM line JOIN api_keys k ON k.project_id = $1 AND k.replaced_by_id = line.id
    ), used AS (
      SELECT coalesce(sum(u.credits), 0) AS credits FROM usage_key_days u
      WHERE u.project_id = $1 AND u.day >= ${THIS_MONTH} AND u.api_key_id IN (SELECT id FROM line)
    )
    SELECT ${spent("used.credits", "t.api_key_id IN (SELECT id FROM line)", "$2")} FROM ${PROJECT}, used`,
};

const OF_PROJECT = {
  name: "credits-of-project",
  text: `
    WITH used AS (
      SELECT coalesce(sum(u.credits), 0) AS credits FROM usage_totals u WHERE u.project_id = $1 AND u.day >= ${THIS_MONTH}
    )
    SELECT ${spent("used.credits", "true", "$2")} FROM ${PROJECT}, used`,
};

/**
 * Credits of all that was begun in the project.
 * @param limit what is below it may be told too high, though below it: it is asked for at less cost
 */
export async function creditsOfProject(projectId: string, limit: number | null = null): Promise<number> {
  return (await read(OF_PROJECT, [projectId, limit])) ?? 0;
}

/**
 * Credits of the end user for whom a turn is; null when it is of nobody.
 * @param limit as of `creditsOfProject`
 */
export async function creditsOfEndUser(
  projectId: string,
  { endUserId, sessionId }: ForWhom,
  limit: number | null = null,
): Promise<number | null> {
  return read(OF_END_USER, [projectId, limit, endUserId ?? null, sessionId ?? null]);
}

/**
 * Credits of the key, and of those that it took over from.
 * @param limit as of `creditsOfProject`
 */
export async function creditsOfKey(projectId: string, apiKeyId: string, limit: number | null = null): Promise<number> {
  return (await read(OF_KEY, [projectId, limit, apiKeyId])) ?? 0;
}

async function read(statement: { name: string; text: string }, values: unknown[]): Promise<number | null> {
  const { rows } = await db().query<{ spent: number }>({ ...statement, values });
  return rows[0]?.spent ?? null;
}
