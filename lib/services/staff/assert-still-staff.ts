import type { Prisma } from "@/lib/db/generated/client";
import type { Transaction } from "@/lib/db/pool";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { assertSignedIn, assertSignedInWithin } from "@/lib/services/members/member-rules";

/**
 * For what staff do about an account, when it is locked: since the panel looked, an operator may have shut them out, or somebody
 * may have ended their session. Whoever does that now waits until the caller's transaction ends. Operators have no session.
 * @throws AppError NOT_FOUND when the session has ended
 */
export async function assertStillStaff(tx: Prisma.TransactionClient, { kind, sessionId }: Actor): Promise<void> {
  if (kind === "staff" && sessionId !== undefined) await assertSignedIn(tx, sessionId);
}

/** The same in a transaction of the pool's own. */
export async function assertStillStaffWithin(tx: Transaction, { kind, sessionId }: Actor): Promise<void> {
  if (kind === "staff" && sessionId !== undefined) await assertSignedInWithin(tx, sessionId);
}
