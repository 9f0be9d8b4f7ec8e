import type { AccountRequest, Prisma } from "@/lib/db/generated/client";
import type { Transaction } from "@/lib/db/pool";
import { withinPrisma } from "@/lib/db/prisma";
import { TOLD_ROLES } from "@/lib/domain/alert-mails";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { enqueueMailsWithin } from "@/lib/services/mail/enqueue-mail";
import { answeredMail } from "@/lib/services/requests/answered-mail";

/** What was given to an account. */
type Given = { accountId: string } & ({ credits: number } | { planId: string });

/** A transaction of either kind: both the pool's and Prisma's give something to accounts. */
export interface Within {
  tx: Transaction;
  rows<Row>(text: string, values: unknown[]): Promise<Row[]>;
}

export function withinPool(tx: Transaction): Within {
  return { tx, rows: async <Row>(text: string, values: unknown[]) => (await tx.query(text, values)).rows as Row[] };
}

export function withinClient(tx: Prisma.TransactionClient): Within {
  return { tx: withinPrisma(tx), rows: (text, values) => tx.$queryRawUnsafe(text, ...values) };
}

type GrantedRow = Pick<AccountRequest, "accountId" | "state" | "credits" | "planId"> & { companyName: string };

const GRANT = `
  UPDATE account_requests r SET state = 'granted', answered_by_id = $3, answered_at = now()
  FROM accounts a
  WHERE r.account_id = $1 AND a.id = r.account_id AND r.state = 'open' AND r.kind = $2 AND ($4::text IS NULL OR r.plan_id = $4)
  RETURNING r.account_id AS "accountId", r.state, r.credits, r.plan_id AS "planId", a.company_name AS "companyName"`;

const TOLD = `
  SELECT u.email FROM members m JOIN users u ON u.id = m.user_id
  WHERE m.account_id = $1 AND m.role = ANY ($2) AND u.disabled_at IS NULL`;

/**
 * Answers what the account asked for by what it was given, in the transaction that gives it: any credits answer a request for
 * credits, the plan that was asked for one for a plan. Owners and admins are told by mail. Wake the relay after the commit.
 */
export async function grantRequests(within: Within, actor: Actor, given: Given): Promise<void> {
  const { accountId } = given;
  const [kind, planId, credits] =
    "credits" in given ? (["credits", null, given.credits] as const) : (["plan", given.planId, undefined] as const);
  const [granted] = await within.rows<GrantedRow>(GRANT, [accountId, kind, actor.userId ?? null, planId]);
  if (!granted || !isMailConfigured()) return;
  const told = await within.rows<{ email: string }>(TOLD, [accountId, [...TOLD_ROLES]]);
  await enqueueMailsWithin(
    within.tx,
    told.map(({ email }) => answeredMail(email, granted, credits)),
  );
}
