import type { StaffUsageDay } from "@/lib/contracts/staff";
import { databaseNow } from "@/lib/db/database-now";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { addDays } from "@/lib/domain/usage-period";

const DAYS = 30;

/**
 * For staff: what an account used on each of the last 30 days (UTC), in all its projects; days without use are zeros.
 * @param asOf ends the period. Default: the database's clock, by which usage is written
 */
export async function getAccountUsage(accountId: string, asOf?: Date): Promise<StaffUsageDay[]> {
  const now = asOf ?? (await databaseNow(prisma()));
  const today = now.toISOString().slice(0, 10);
  const { rows } = await db().query<StaffUsageDay>(
    `SELECT to_char(d, 'YYYY-MM-DD') AS date, coalesce(sum(u.requests), 0) AS requests,
            coalesce(sum(u.tokens_in + u.tokens_out), 0) AS tokens, coalesce(sum(u.credits), 0) AS credits
     FROM generate_series($2::date, $3::date, interval '1 day') d
     LEFT JOIN usage_totals u ON u.account_id = $1 AND u.day = d::date
     GROUP BY d ORDER BY d`,
    [accountId, addDays(today, 1 - DAYS), today],
  );
  return rows;
}
