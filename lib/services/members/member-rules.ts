import type { Prisma } from "@/lib/db/generated/client";
import type { Transaction } from "@/lib/db/pool";
import { AppError, invalidField, notFound } from "@/lib/domain/errors";
import { isRole, mayDo, type PanelActionId, type Role } from "@/lib/domain/panel-actions";
import type { Actor } from "@/lib/services/accounts/record-audit";

/** Who changes a team: a person of that account, with their role in it. */
export interface TeamActor {
  accountId: string;
  role: Role;
  actor: Actor;
}

/** Whether the role is at most one's own: nobody gives more than they have. */
export function mayGive(own: Role, role: Role): boolean {
  return role !== "owner" || own === "owner";
}

/** @throws AppError VALIDATION_FAILED unless the role may be given */
export function assertMayGive(own: Role, role: Role): void {
  if (!mayGive(own, role)) throw invalidField("role", "may be given by owners alone");
}

/**
 * The actor's role as it is now, for acts of power: since the panel looked, somebody may have lowered or removed them, shut
 * them out or ended their session. Whoever does that now waits until the caller's transaction ends, and then takes back what it
 * gave. Call it before other rows are locked: an account that is being erased has locked all that is its own.
 * @returns null when the actor is no person of an account: an operator, staff
 * @throws AppError NOT_FOUND when the role does not allow the action (any more), or the session has ended
 */
export async function assertStillMay(
  tx: Prisma.TransactionClient,
  { kind, userId = "", sessionId }: Actor,
  accountId: string,
  action: PanelActionId,
): Promise<Role | null> {
  if (kind !== "owner") return null;
  await tx.$queryRaw`SELECT 1 FROM accounts WHERE id = ${accountId} FOR KEY SHARE`;
  const [member] = await tx.$queryRaw<{ role: string }[]>`
    SELECT m.role FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.account_id = ${accountId} AND m.user_id = ${userId} AND u.disabled_at IS NULL FOR SHARE OF m, u`;
  if (!member || !isRole(member.role) || !mayDo(member.role, action)) {
    throw new AppError("NOT_FOUND", "Your role does not allow this any more. Ask an owner of the account.");
  }
  if (sessionId !== undefined) await assertSignedIn(tx, sessionId);
  return member.role;
}

const OPEN_SESSION = "SELECT 1 FROM user_sessions WHERE id = $1 AND revoked_at IS NULL FOR SHARE";

/** @throws AppError NOT_FOUND when the session has ended; else it holds until the caller's transaction ends */
export async function assertSignedIn(tx: Prisma.TransactionClient, sessionId: string): Promise<void> {
  const open = await tx.$queryRawUnsafe<unknown[]>(OPEN_SESSION, sessionId);
  if (open.length === 0) throw endedSession();
}

/** The same in a transaction of the pool's own. */
export async function assertSignedInWithin(tx: Transaction, sessionId: string): Promise<void> {
  const { rowCount } = await tx.query(OPEN_SESSION, [sessionId]);
  if (rowCount === 0) throw endedSession();
}

function endedSession(): AppError {
  return new AppError("NOT_FOUND", "Your session has ended. Sign in again.");
}

/**
 * A member, locked with all others of the account until the caller's transaction ends: two owners who remove each other at
 * the same time would leave nobody.
 * @throws AppError NOT_FOUND
 */
export async function lockMember(
  tx: Prisma.TransactionClient,
  accountId: string,
  userId: string,
): Promise<{ role: string; isLastOwner: boolean }> {
  // Before the members, and open to references: what asks `assertStillMay` under the account's lock ends first.
  await tx.$queryRaw`SELECT 1 FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`;
  const rows = await tx.$queryRaw<{ user_id: string; role: string }[]>`
    SELECT user_id, role FROM members WHERE account_id = ${accountId} ORDER BY user_id FOR UPDATE`;
  const member = rows.find((row) => row.user_id === userId);
  if (!member) throw notFound("The member");
  const owners = rows.filter(({ role }) => role === "owner");
  return { role: member.role, isLastOwner: member.role === "owner" && owners.length === 1 };
}

/** @param isLeaving they go themselves, and may want the account to go with them */
export function lastOwner(isLeaving = false): AppError {
  const otherwise = isLeaving ? ", or erase the account under Settings, Company" : "";
  return new AppError("VALIDATION_FAILED", `An account needs an owner. Make somebody else owner first${otherwise}.`);
}
