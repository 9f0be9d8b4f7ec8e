import { databaseNow } from "@/lib/db/database-now";
import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/domain/errors";
import { hashSecretToken } from "@/lib/domain/secret-token";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { endPlaygroundKeys, movePlaygroundKeys } from "@/lib/services/api-keys/end-playground-keys";
import { openSessionsOf } from "@/lib/services/people/person-session";

/** A signed-in browser, as its person sees it. */
export interface ListedPersonSession {
  id: string;
  ip: string | null;
  userAgent: string | null;
  createdAt: Date;
  lastSeenAt: Date;
}

const MAX_LISTED = 100;

/** The open sessions of a person, the last seen first. */
export async function listPersonSessions(userId: string): Promise<ListedPersonSession[]> {
  return prisma().userSession.findMany({
    where: openSessionsOf(userId, await databaseNow(prisma())),
    orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
    take: MAX_LISTED,
    select: { id: true, ip: true, userAgent: true, createdAt: true, lastSeenAt: true },
  });
}

/**
 * Ends one session of a person: its browser is signed out from its next request on, in every process. With it end the keys
 * that they made for the playground there.
 * @throws AppError NOT_FOUND when it is another's, unknown or ended already
 */
export async function revokePersonSession(actor: Actor, userId: string, sessionId: string): Promise<void> {
  await prisma().$transaction(async (tx) => {
    const { count } = await tx.userSession.updateMany({
      where: { id: sessionId, userId, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (count === 0) throw new AppError("NOT_FOUND", "That browser is signed out already. Load the page again.");
    await endPlaygroundKeys(tx, { userId, sessionId });
    await recordAudit(tx, actor, { accountId: null, action: "person.sign-out", subject: userId, after: { sessionId } });
  });
}

/** Ends all sessions of a person but the one named; returns how many were open. */
export async function revokeOtherSessions(actor: Actor, userId: string, exceptId: string | null): Promise<number> {
  return prisma().$transaction(async (tx) => {
    const count = await revokeAll(tx, userId, exceptId);
    await recordAudit(tx, actor, {
      accountId: null,
      action: "person.sign-out-everywhere",
      subject: userId,
      after: { sessions: count },
    });
    return count;
  });
}

/**
 * Within a caller's transaction: what changes a password or a second factor ends the other sessions too, and the keys that
 * were made for the playground in any, also the one that goes on: whoever was there as well may have copied them.
 */
export async function revokeAll(
  tx: Prisma.TransactionClient,
  userId: string,
  exceptId: string | null = null,
): Promise<number> {
  const others = exceptId === null ? {} : { id: { not: exceptId } };
  const count = await tx.userSession.count({ where: { ...openSessionsOf(userId, await databaseNow(tx)), ...others } });
  // Also those that ended by themselves: another machine's clock may say that they have not.
  await tx.userSession.updateMany({ where: { userId, revokedAt: null, ...others }, data: { revokedAt: new Date() } });
  await endPlaygroundKeys(tx, { userId });
  return count;
}

/** Ends the session of a token, if there is one, for signing out; with it the keys that were made for the playground there. */
export async function closePersonSession(token: string): Promise<void> {
  await prisma().$transaction((tx) => closeSessionOf(tx, token));
}

/**
 * Within a caller's transaction: the same for whoever signs in in a browser that has a session.
 * @param goesOn who goes on there, in which session: when it was theirs, the keys that they made there go on with it
 */
export async function closeSessionOf(
  tx: Prisma.TransactionClient,
  token: string,
  goesOn: { userId: string; sessionId: string } | null = null,
): Promise<void> {
  const closed = await tx.userSession.updateManyAndReturn({
    where: { tokenHash: hashSecretToken(token), revokedAt: null },
    data: { revokedAt: new Date() },
    select: { id: true, userId: true },
  });
  for (const { id, userId } of closed) {
    if (userId === goesOn?.userId) await movePlaygroundKeys(tx, userId, { from: id, to: goesOn.sessionId });
    else await endPlaygroundKeys(tx, { userId, sessionId: id });
  }
}
