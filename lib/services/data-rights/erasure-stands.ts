import type { Prisma } from "@/lib/db/generated/client";
import { db } from "@/lib/db/pool";

/**
 * Of an account `a` and its line `l` of the audit log, which asks for the erasure: it is still to be done. One whose suspension
 * was ended afterwards is not to be erased any more, nor when it is suspended again.
 */
export const ERASURE_STANDS = `l.account_id = a.id AND l.action = 'account.request-erasure'
  AND a.verification_status = 'suspended'
  AND NOT EXISTS (SELECT FROM audit_log r WHERE r.account_id = a.id AND r.action IN ('account.restore', 'account.verify')
                  AND r.created_at >= l.created_at)`;

/** Whether the erasure of an account was asked for, for whoever has the account locked. */
export async function isErasureAskedFor(tx: Prisma.TransactionClient, accountId: string): Promise<boolean> {
  const text = `SELECT 1 FROM accounts a JOIN audit_log l ON ${ERASURE_STANDS} WHERE a.id = $1 LIMIT 1`;
  return (await tx.$queryRawUnsafe<unknown[]>(text, accountId)).length > 0;
}

/** Whether an account is gone or still to be erased; not where staff have restored it since. */
export async function isBeingErased(accountId: string): Promise<boolean> {
  const { rowCount } = await db().query(
    `SELECT 1 FROM accounts a WHERE a.id = $1 AND NOT EXISTS (SELECT FROM audit_log l WHERE ${ERASURE_STANDS})`,
    [accountId],
  );
  return rowCount === 0;
}

/**
 * Does work for an account that an erasure may take away under it, file by file and row by row: what fails by that has nothing
 * left to do, and is no fault that an operator would have to look at.
 */
export async function unlessErased(accountId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isErased = await isBeingErased(accountId).catch(() => false);
    if (!isErased) throw error;
  }
}
