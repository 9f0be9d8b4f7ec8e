import type { StaffAccount } from "@/lib/contracts/staff";
import type { PlanId } from "@/lib/domain/plans";
import type { VerificationStatus } from "@/lib/domain/verification";

/** Columns of an account, of a table called `a`. */
export const STAFF_ACCOUNT_COLUMNS = `
  a.id, a.company_name AS "companyName", a.verification_status AS verification, a.plan_id AS plan,
  a.rate_limit_per_minute AS "rateLimitPerMinute", a.credit_balance AS balance, a.credit_reserved AS reserved,
  a.created_at AS "createdAt", (SELECT max(k.last_used_at) FROM projects p JOIN api_keys k ON k.project_id = p.id
  WHERE p.account_id = a.id) AS "lastUsedAt"`;

export interface StaffAccountRow {
  id: string;
  companyName: string;
  verification: VerificationStatus;
  plan: PlanId;
  rateLimitPerMinute: number | null;
  balance: number;
  reserved: number;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export function toStaffAccount(row: StaffAccountRow): StaffAccount {
  return {
    id: row.id,
    companyName: row.companyName,
    verification: row.verification,
    plan: row.plan,
    rateLimitPerMinute: row.rateLimitPerMinute,
    credits: { balance: row.balance, reserved: row.reserved },
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}
