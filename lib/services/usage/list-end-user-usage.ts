import type { UsageQuery } from "@/lib/contracts/usage";
import type { EndUserUsageShare } from "@/lib/contracts/usage-breakdown";
import { db } from "@/lib/db/pool";
import { makePage, type Page, type PageRequest } from "@/lib/domain/pagination";
import type { ProjectScope } from "@/lib/domain/principal";
import { usagePeriod } from "@/lib/domain/usage-period";

/**
 * The project's consumption per end user, the largest first. Shares are sums: a page costs as much as all of them.
 * @param now for the default period
 * @throws AppError VALIDATION_FAILED when the period is too long or ends before it begins
 */
export async function listEndUserUsage(
  { accountId, projectId }: ProjectScope,
  query: Omit<UsageQuery, "endUserId">,
  page: PageRequest,
  now = new Date(),
): Promise<Page<EndUserUsageShare>> {
  const { from, to } = usagePeriod(query, now);
  const { rows } = await db().query<EndUserUsageShare & { total: number }>(
    `SELECT nullif(end_user_id, '') AS "endUserId", sum(requests) AS requests, sum(tokens_in) AS "tokensIn",
            sum(tokens_out) AS "tokensOut", sum(credits) AS "creditsUsed", count(*) OVER () AS total
     FROM usage_days
     WHERE project_id = $1 AND account_id = $2 AND day BETWEEN $3::date AND $4::date
     GROUP BY end_user_id
     ORDER BY sum(credits) DESC, sum(requests) DESC, end_user_id LIMIT $5 OFFSET $6`,
    [projectId, accountId, from, to, page.limit, page.offset],
  );
  // Behind the last page no row says how many there are: as many as were left out, at most.
  const total = rows[0]?.total ?? page.offset;
  return makePage(
    rows.map(({ total: _total, ...share }) => share),
    total,
    page,
  );
}
