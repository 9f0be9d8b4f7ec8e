import type { ProjectUsageShare } from "@/lib/contracts/usage-breakdown";
import { db } from "@/lib/db/pool";
import type { Principal } from "@/lib/domain/principal";
import type { DayPeriod } from "@/lib/domain/usage-period";

/** What each project of the account used in a period, the largest first; those that used nothing too. */
export async function listProjectUsage(
  { accountId }: Pick<Principal, "accountId">,
  { from, to }: DayPeriod,
): Promise<ProjectUsageShare[]> {
  const { rows } = await db().query<ProjectUsageShare>(
    `SELECT p.id AS "projectId", p.name, coalesce(sum(u.requests), 0) AS requests,
            coalesce(sum(u.tokens_in), 0) AS "tokensIn", coalesce(sum(u.tokens_out), 0) AS "tokensOut",
            coalesce(sum(u.credits), 0) AS "creditsUsed"
     FROM projects p
     LEFT JOIN usage_totals u ON u.project_id = p.id AND u.account_id = p.account_id
                             AND u.day BETWEEN $2::date AND $3::date
     WHERE p.account_id = $1
     GROUP BY p.id ORDER BY "creditsUsed" DESC, p.created_at, p.id`,
    [accountId, from, to],
  );
  return rows;
}
