import type { AccountRecord } from "@/lib/contracts/account";
import { databaseNow } from "@/lib/db/database-now";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import { MAX_BATCH_FILES, MAX_FILE_BYTES } from "@/lib/domain/limits";
import { PLANS } from "@/lib/domain/plans";
import type { Principal } from "@/lib/domain/principal";
import { dateOf, monthOf, usagePeriod } from "@/lib/domain/usage-period";
import { countAccount } from "@/lib/services/account/count-account";

/**
 * The account of the key, over all its projects (contract §7).
 * @param asOf decides the period and the 30 days. Default: the database's clock, by which they are written
 * @throws AppError NOT_FOUND
 */
export async function getAccount(
  principal: Pick<Principal, "accountId" | "planId">,
  asOf?: Date,
): Promise<AccountRecord> {
  const now = asOf ?? (await databaseNow(prisma()));
  const month = monthOf(now);
  const recent = usagePeriod({}, now);
  const [{ rows }, counts] = await Promise.all([
    db().query<AccountRow>({
      ...GET_ACCOUNT,
      values: [principal.accountId, dateOf(month.start), recent.from, recent.to],
    }),
    countAccount(principal.accountId),
  ]);
  const row = rows[0];
  if (!row) throw notFound("The account");
  const plan = PLANS[principal.planId];
  return {
    id: row.id,
    companyName: row.company_name,
    verification: { status: row.verification_status, verifiedAt: row.verified_at?.toISOString() ?? null },
    credits: { balance: row.credit_balance, reserved: row.credit_reserved, usedThisPeriod: row.credits_used },
    plan: {
      id: principal.planId,
      name: plan.name,
      tokenLimit: plan.tokensPerMonth,
      tokensUsed: row.tokens_used,
      periodStart: month.start.toISOString(),
      periodEnd: month.end.toISOString(),
    },
    limits: {
      requestsPerMinute: row.rate_limit_per_minute ?? plan.requestsPerMinute,
      maxFileBytes: MAX_FILE_BYTES,
      maxBatchFiles: MAX_BATCH_FILES,
    },
    stats: { ...counts, requests30d: row.requests_30d },
  };
}

interface AccountRow {
  id: string;
  company_name: string;
  verification_status: string;
  verified_at: Date | null;
  rate_limit_per_minute: number | null;
  credit_balance: number;
  credit_reserved: number;
  credits_used: number;
  tokens_used: number;
  requests_30d: number;
}

const GET_ACCOUNT = {
  name: "get-account",
  text: `
    SELECT a.id, a.company_name, a.verification_status, a.verified_at, a.rate_limit_per_minute, a.credit_balance,
           a.credit_reserved, coalesce(p.credits_used, 0) AS credits_used, coalesce(p.tokens_used, 0) AS tokens_used,
           (SELECT coalesce(sum(u.requests), 0) FROM usage_totals u
            WHERE u.account_id = a.id AND u.day BETWEEN $3::date AND $4::date) AS requests_30d
    FROM accounts a
    LEFT JOIN account_periods p ON p.account_id = a.id AND p.period_start = $2::date
    WHERE a.id = $1`,
};
