import type { UsageQuery } from "@/lib/contracts/usage";
import type { EndpointUsageDay } from "@/lib/contracts/usage-breakdown";
import { db } from "@/lib/db/pool";
import type { ProjectScope } from "@/lib/domain/principal";
import { usagePeriod } from "@/lib/domain/usage-period";

/**
 * The project's consumption per day and endpoint, the oldest day first; days without use are not there. Its sums are those
 * of `getUsage` for the same query.
 * @param now for the default period
 * @throws AppError VALIDATION_FAILED when the period is too long or ends before it begins
 */
export async function listEndpointDays(
  { accountId, projectId }: ProjectScope,
  query: UsageQuery,
  now = new Date(),
): Promise<EndpointUsageDay[]> {
  const { from, to } = usagePeriod(query, now);
  const { endUserId } = query;
  // Over all end users, usage is added up already.
  const [table, ofEndUser] = endUserId === undefined ? ["usage_totals", ""] : ["usage_days", "AND end_user_id = $5"];
  const { rows } = await db().query<EndpointUsageDay>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS date, endpoint, requests, tokens_in AS "tokensIn", tokens_out AS "tokensOut",
            credits AS "creditsUsed"
     FROM ${table}
     WHERE project_id = $1 AND account_id = $2 AND day BETWEEN $3::date AND $4::date ${ofEndUser}
     ORDER BY day, endpoint`,
    [projectId, accountId, from, to, ...(endUserId === undefined ? [] : [endUserId])],
  );
  return rows;
}
