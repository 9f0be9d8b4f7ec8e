import type { Prisma } from "@/lib/db/generated/client";
import { inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/domain/errors";
import { writeAudit } from "@/lib/services/accounts/record-audit";
import { ERASURE_STANDS } from "@/lib/services/data-rights/erasure-stands";

/** By this line of the audit log it is known that the erasure of an account has begun. */
export const ERASURE_BEGUN = "account.begin-erasure";

/**
 * Begins the erasure of an account, or goes on with one: from here on nobody restores it, since it would come back without what
 * is gone.
 * @returns false for an account that is there and whose erasure nobody asks for any more
 */
export async function beginErasure(accountId: string): Promise<boolean> {
  return inTransaction(async (tx) => {
    const { rowCount } = await tx.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [accountId]);
    if (rowCount === 0) return true;
    const { rows } = await tx.query<{ action: string }>(
      `SELECT l.action FROM audit_log l JOIN accounts a ON a.id = $1
       WHERE (l.account_id = a.id AND l.action = $2) OR (${ERASURE_STANDS})`,
      [accountId, ERASURE_BEGUN],
    );
    if (rows.length === 0) return false;
    if (rows.some(({ action }) => action === ERASURE_BEGUN)) return true;
    await writeAudit(tx, { kind: "system" }, { accountId, action: ERASURE_BEGUN, subject: accountId });
    return true;
  });
}

/** Whether an account is being erased: some of what it has may be gone. */
export async function hasErasureBegun(accountId: string, on: Prisma.TransactionClient = prisma()): Promise<boolean> {
  return (await on.auditEntry.count({ where: { accountId, action: ERASURE_BEGUN } })) > 0;
}

/**
 * For whoever ends a suspension, with the account locked.
 * @throws AppError VALIDATION_FAILED when the account is being erased
 */
export async function assertNotBeingErased(tx: Prisma.TransactionClient, accountId: string): Promise<void> {
  if (!(await hasErasureBegun(accountId, tx))) return;
  throw new AppError(
    "VALIDATION_FAILED",
    "The erasure of the account has begun: it would come back without what is gone already.",
  );
}
