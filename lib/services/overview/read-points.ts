import type { OverviewPoint } from "@/lib/contracts/overview";
import { db } from "@/lib/db/pool";
import type { OverviewBuckets } from "@/lib/domain/overview-range";
import type { ProjectScope } from "@/lib/domain/principal";
import { dateOf } from "@/lib/domain/usage-period";

type CallPoint = Pick<OverviewPoint, "requests" | "clientErrors" | "serverErrors">;
type UsagePoint = Pick<OverviewPoint, "tokensIn" | "tokensOut" | "creditsUsed">;

/** Logged calls of the project by the first moment (ISO) of their hour or day; parts without any are not there. */
export async function readCallPoints(
  { accountId, projectId }: ProjectScope,
  { unit, starts }: OverviewBuckets,
): Promise<Map<string, CallPoint>> {
  const { rows } = await db().query<CallPoint & { at: Date }>(
    `SELECT date_trunc($1, hour, 'UTC') AS at, sum(requests) AS requests, sum(client_errors) AS "clientErrors",
            sum(server_errors) AS "serverErrors"
     FROM call_hours WHERE project_id = $2 AND account_id = $3 AND hour >= $4 GROUP BY 1`,
    [unit, projectId, accountId, starts[0]],
  );
  return byTime(rows);
}

/**
 * Tokens and credits of finished work, likewise. Days are summed up already. Of hours the ledger knows: each is added up
 * by the first look after its end, and read from then on.
 */
export async function readUsagePoints(
  { accountId, projectId }: ProjectScope,
  { unit, starts }: OverviewBuckets,
): Promise<Map<string, UsagePoint>> {
  const first = starts[0] ?? new Date();
  const { rows } = await (unit === "hour"
    ? db().query<UsagePoint & { at: Date }>(USAGE_BY_HOUR, [projectId, accountId, first, starts.at(-1) ?? first])
    : db().query<UsagePoint & { at: Date }>(USAGE_BY_DAY, [projectId, accountId, dateOf(first)]));
  return byTime(rows);
}

/** A charge is there at the latest so long after the moment that it carries. */
const SETTLE_MINUTES = 5;

/** One statement has one clock: no hour ends between what is kept and what is added up. */
const USAGE_BY_HOUR = `
  WITH past AS (
    SELECT least(date_trunc('hour', now() - interval '${SETTLE_MINUTES} minutes', 'UTC'), $4::timestamptz + interval '1 hour') AS until
  ),
  known AS (
    SELECT hour, tokens_in, tokens_out, credits FROM usage_hours
    WHERE project_id = $1 AND hour BETWEEN $3::timestamptz AND $4::timestamptz
  ),
  kept AS (
    INSERT INTO usage_hours (project_id, hour, tokens_in, tokens_out, credits)
    SELECT p.id, h.hour, l.tokens_in, l.tokens_out, l.credits
    FROM projects p CROSS JOIN past
    CROSS JOIN generate_series($3::timestamptz, past.until - interval '1 hour', interval '1 hour') AS h(hour)
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(tokens_in), 0) AS tokens_in, coalesce(sum(tokens_out), 0) AS tokens_out,
             coalesce(sum(-amount), 0) AS credits
      FROM ledger_entries
      WHERE project_id = $1 AND kind = 'charge' AND created_at >= h.hour AND created_at < h.hour + interval '1 hour') l
    WHERE p.id = $1 AND p.account_id = $2 AND NOT EXISTS (SELECT FROM known k WHERE k.hour = h.hour)
    ON CONFLICT (project_id, hour) DO UPDATE SET credits = excluded.credits
    RETURNING hour, tokens_in, tokens_out, credits
  )
  SELECT hour AS at, tokens_in AS "tokensIn", tokens_out AS "tokensOut", credits AS "creditsUsed"
  FROM (SELECT * FROM known UNION ALL SELECT * FROM kept) hours
  WHERE EXISTS (SELECT FROM projects p WHERE p.id = $1 AND p.account_id = $2)
  UNION ALL
  SELECT date_trunc('hour', created_at, 'UTC'), sum(tokens_in), sum(tokens_out), sum(-amount)
  FROM ledger_entries, past
  WHERE project_id = $1 AND account_id = $2 AND kind = 'charge' AND created_at >= greatest($3::timestamptz, past.until)
    AND created_at < 'infinity'
  GROUP BY 1`;

const USAGE_BY_DAY = `
  SELECT day::timestamp AT TIME ZONE 'UTC' AS at, sum(tokens_in) AS "tokensIn", sum(tokens_out) AS "tokensOut",
         sum(credits) AS "creditsUsed"
  FROM usage_totals WHERE project_id = $1 AND account_id = $2 AND day >= $3::date GROUP BY 1`;

function byTime<Row extends { at: Date }>(rows: Row[]): Map<string, Omit<Row, "at">> {
  return new Map(rows.map(({ at, ...row }) => [at.toISOString(), row]));
}
