import { db } from "@/lib/db/pool";
import { countWords } from "@/lib/domain/count-words";
import { AppError } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import type { TurnInput } from "@/lib/services/turns/turn-input";

type Caller = Pick<Principal, "projectId" | "endUserCredits">;

/** For whom a turn is: its end user, or else that of the session which it continues. */
type ForWhom = Pick<TurnInput, "endUserId" | "sessionId">;

/**
 * Credits of this month (UTC) that are left to the end user of a turn, running work taken off; null where nothing limits them:
 * the project sets no allowance, or the turn is of nobody. Below zero when the last turn took more than was left.
 */
export async function creditsLeftTo(caller: Caller, { endUserId, sessionId }: ForWhom): Promise<number | null> {
  const { endUserCredits, projectId } = caller;
  if (endUserCredits === null || (endUserId === undefined && sessionId === undefined)) return null;
  const { rows } = await db().query<{ spent: number }>({
    name: "end-user-spent",
    text: `
      WITH who AS (
        SELECT coalesce($2::text, (SELECT end_user_id FROM sessions WHERE id = $3 AND project_id = $1)) AS id
      )
      SELECT (coalesce((
        SELECT m.credits FROM usage_months m
        WHERE m.project_id = $1 AND m.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date AND m.end_user_id = who.id
      ), 0) + coalesce((
        SELECT sum(t.credits_reserved) FROM sessions s
        JOIN turns t ON t.session_id = s.id AND t.status IN ('queued', 'running')
        WHERE s.project_id = $1 AND s.status IN ('started', 'resumed') AND s.end_user_id = who.id
      ), 0))::float8 AS spent
      FROM who WHERE who.id IS NOT NULL`,
    values: [projectId, endUserId ?? null, sessionId ?? null],
  });
  const [row] = rows;
  return row ? endUserCredits - row.spent : null;
}

/**
 * Refuses a turn whose end user has nothing left of what the project allows each of them. Looked at before the turn is
 * accepted and not with it, so that projects without an allowance pay nothing for it: calls that come within the same few
 * milliseconds may pass together, as one turn may cost more than was left.
 * @throws AppError END_USER_LIMIT_REACHED
 */
export async function checkEndUserAllowance(caller: Caller, turn: ForWhom): Promise<void> {
  const left = await creditsLeftTo(caller, turn);
  if (left === null || left > 0) return;
  throw new AppError(
    "END_USER_LIMIT_REACHED",
    `The end user's ${countWords(caller.endUserCredits ?? 0, "credit")} of this month are used up, or promised to running work. Wait for that to end or for the next month, or raise the limit in the panel, Settings, Project.`,
  );
}
