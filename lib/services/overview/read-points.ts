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

/** Tokens and credits of finished work, likewise. Days are summed up already; of hours the ledger knows. */
export async function readUsagePoints(
  { accountId, projectId }: ProjectScope,
  { unit, starts }: OverviewBuckets,
): Promise<Map<string, UsagePoint>> {
  const first = starts[0] ?? new Date();
  const { rows } = await db().query<UsagePoint & { at: Date }>(unit === "hour" ? USAGE_BY_HOUR : USAGE_BY_DAY, [
    projectId,
    accountId,
    unit === "hour" ? first : dateOf(first),
  ]);
  return byTime(rows);
}

const USAGE_BY_HOUR = `
  SELECT date_trunc('hour', created_at, 'UTC') AS at, sum(tokens_in) AS "tokensIn", sum(tokens_out) AS "tokensOut",
         sum(-amount) AS "creditsUsed"
  FROM ledger_entries WHERE project_id = $1 AND account_id = $2 AND created_at >= $3 AND kind = 'charge' GROUP BY 1`;

const USAGE_BY_DAY = `
  SELECT day::timestamp AT TIME ZONE 'UTC' AS at, sum(tokens_in) AS "tokensIn", sum(tokens_out) AS "tokensOut",
         sum(credits) AS "creditsUsed"
  FROM usage_totals WHERE project_id = $1 AND account_id = $2 AND day >= $3::date GROUP BY 1`;

function byTime<Row extends { at: Date }>(rows: Row[]): Map<string, Omit<Row, "at">> {
  return new Map(rows.map(({ at, ...row }) => [at.toISOString(), row]));
}
