import { db } from "@/lib/db/pool";
import type { TurnInput } from "@/lib/services/turns/turn-input";

/** What is used of a calendar month (UTC) and what running work was promised, by sums that are kept anyway. */

/** For whom a turn is: its end user, or else that of the session which it continues. */
export type ForWhom = Pick<TurnInput, "endUserId" | "sessionId">;

const THIS_MONTH = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";

/** Turns of the project `$1` that are queued or running, by its sessions that are: nobody else's backlog is looked at. */
const RUNNING = `
  FROM sessions s JOIN turns t ON t.session_id = s.id AND t.status IN ('queued', 'running')
  WHERE s.project_id = $1 AND s.status IN ('started', 'resumed')`;

const OF_END_USER = {
  name: "credits-of-end-user",
  text: `
    WITH who AS (
      SELECT coalesce($2::text, (SELECT end_user_id FROM sessions WHERE id = $3 AND project_id = $1)) AS id
    )
    SELECT (coalesce((
      SELECT m.credits FROM usage_months m WHERE m.project_id = $1 AND m.month = ${THIS_MONTH} AND m.end_user_id = who.id
    ), 0) + coalesce((SELECT sum(t.credits_reserved) ${RUNNING} AND s.end_user_id = who.id), 0))::float8 AS spent
    FROM who WHERE who.id IS NOT NULL`,
};

/** A key that took over from another goes on with what that one had left. */
const OF_KEY = {
  name: "credits-of-key",
  text: `
    WITH RECURSIVE line AS (
      SELECT $2::text AS id
      UNION SELECT k.id FROM line JOIN api_keys k ON k.project_id = $1 AND k.replaced_by_id = line.id
    )
    SELECT (coalesce((
      SELECT sum(u.credits) FROM usage_key_days u
      WHERE u.project_id = $1 AND u.day >= ${THIS_MONTH} AND u.api_key_id IN (SELECT id FROM line)
    ), 0) + coalesce((SELECT sum(t.credits_reserved) ${RUNNING} AND t.api_key_id IN (SELECT id FROM line)), 0))::float8 AS spent`,
};

const OF_PROJECT = {
  name: "credits-of-project",
  text: `
    SELECT (coalesce((SELECT sum(u.credits) FROM usage_totals u WHERE u.project_id = $1 AND u.day >= ${THIS_MONTH}), 0)
      + coalesce((SELECT sum(t.credits_reserved) ${RUNNING}), 0))::float8 AS spent`,
};

/** @returns credits of all that was begun in the project */
export async function creditsOfProject(projectId: string): Promise<number> {
  return (await read(OF_PROJECT, [projectId])) ?? 0;
}

/** @returns credits of the end user for whom a turn is; null when it is of nobody */
export async function creditsOfEndUser(projectId: string, { endUserId, sessionId }: ForWhom): Promise<number | null> {
  return read(OF_END_USER, [projectId, endUserId ?? null, sessionId ?? null]);
}

/** @returns credits of the key, and of those that it took over from */
export async function creditsOfKey(projectId: string, apiKeyId: string): Promise<number> {
  return (await read(OF_KEY, [projectId, apiKeyId])) ?? 0;
}

async function read(statement: { name: string; text: string }, values: unknown[]): Promise<number | null> {
  const { rows } = await db().query<{ spent: number }>({ ...statement, values });
  return rows[0]?.spent ?? null;
}
