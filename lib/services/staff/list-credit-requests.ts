import type { StaffCreditRequest } from "@/lib/contracts/staff";
import { db } from "@/lib/db/pool";
import { givenSince } from "@/lib/services/credits/given-since";

const MAX_LISTED = 50;

interface CreditRequestRow extends Omit<StaffCreditRequest, "createdAt" | "expiresAt" | "decidedAt"> {
  createdAt: Date;
  expiresAt: Date;
  decidedAt: Date | null;
}

/**
 * Large grants of credits: those of an account, newest first; without an account those of all that wait, the one that
 * ends first first.
 */
export async function listCreditRequests(accountId?: string): Promise<StaffCreditRequest[]> {
  const { rows } = await db().query<CreditRequestRow>(
    `SELECT r.id, r.account_id AS "accountId", a.company_name AS "companyName", r.amount, r.reason,
       CASE WHEN r.state = 'pending' THEN ${givenSince("r.account_id", "r.created_at")} ELSE 0 END AS "givenSince",
       a.verification_status = 'suspended' AS "isSuspended",
       CASE WHEN r.state = 'pending' AND r.expires_at <= now() THEN 'expired'
         WHEN r.state = 'refused' AND r.decided_by_id = r.requested_by_id THEN 'taken back' ELSE r.state END AS state,
       r.requested_by_id AS "requestedById", u.email AS "requestedBy", d.email AS "decidedBy",
       r.decision_reason AS "decisionReason", r.created_at AS "createdAt", r.expires_at AS "expiresAt",
       r.decided_at AS "decidedAt"
     FROM credit_requests r JOIN accounts a ON a.id = r.account_id
     LEFT JOIN users u ON u.id = r.requested_by_id LEFT JOIN users d ON d.id = r.decided_by_id
     WHERE ${accountId === undefined ? "r.state = 'pending' AND r.expires_at > now()" : "r.account_id = $1"}
     ORDER BY ${accountId === undefined ? "r.expires_at, r.id" : "r.created_at DESC, r.id DESC"} LIMIT ${MAX_LISTED}`,
    accountId === undefined ? [] : [accountId],
  );
  return rows.map(({ createdAt, expiresAt, decidedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }));
}
