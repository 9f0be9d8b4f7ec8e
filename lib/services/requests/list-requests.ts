import type { AccountRequestRecord } from "@/lib/contracts/account-requests";
import { db } from "@/lib/db/pool";

const MAX_LISTED = 50;

interface RequestRow extends Omit<AccountRequestRecord, "createdAt" | "answeredAt"> {
  createdAt: Date;
  answeredAt: Date | null;
}

/**
 * What an account asked for, newest first; what is open is among it however old, for it is answered and taken back nowhere else.
 * Without an account what waits of all, the oldest first.
 */
export async function listRequests(accountId?: string): Promise<AccountRequestRecord[]> {
  const ofAll = accountId === undefined;
  const order = ofAll ? "ASC" : "DESC";
  const { rows } = await db().query<RequestRow>(
    `SELECT * FROM (
       SELECT r.id, r.account_id AS "accountId", a.company_name AS "companyName", r.kind, r.credits, r.plan_id AS "planId",
         r.note, r.state, u.email AS "askedBy", r.answer, r.created_at AS "createdAt", r.answered_at AS "answeredAt"
       FROM account_requests r JOIN accounts a ON a.id = r.account_id LEFT JOIN users u ON u.id = r.asked_by_id
       WHERE ${ofAll ? "r.state = 'open' AND a.verification_status <> 'suspended'" : "r.account_id = $1"}
       ORDER BY r.state = 'open' DESC, r.created_at ${order}, r.id ${order} LIMIT ${MAX_LISTED}) listed
     ORDER BY "createdAt" ${order}, id ${order}`,
    ofAll ? [] : [accountId],
  );
  return rows.map(({ createdAt, answeredAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    answeredAt: answeredAt?.toISOString() ?? null,
  }));
}
