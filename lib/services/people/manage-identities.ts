import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";
import { AppError, notFound } from "@/lib/domain/errors";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { tellByMail } from "@/lib/services/mail/enqueue-mail";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { findSelf } from "@/lib/services/people/find-self";
import { identityMail } from "@/lib/services/people/mail-texts";
import { revokeAll } from "@/lib/services/people/manage-person-sessions";
import type { Identity } from "@/lib/services/people/sign-in-with-identity";

/** Another service through which a person signs in here. */
export interface JoinedIdentity {
  provider: Identity["provider"];
  /** How many people of that service come in as this one, or came; each has its own line there. */
  count: number;
  /** When the newest came. */
  joinedAt: Date;
  /** When it was taken off; null while it signs the person in. */
  removedAt: Date | null;
}

/** The other services through which a person signs in here, and those that they took off. */
export async function listIdentities(userId: string): Promise<JoinedIdentity[]> {
  const rows = await prisma().userIdentity.groupBy({
    by: ["provider"],
    where: { userId },
    _count: true,
    _max: { createdAt: true, removedAt: true },
    orderBy: { provider: "asc" },
  });
  return rows.flatMap(({ provider, _count: count, _max: { createdAt, removedAt } }) =>
    (provider === "google" || provider === "github") && createdAt !== null
      ? [{ provider, count, joinedAt: createdAt, removedAt }]
      : [],
  );
}

/**
 * Takes another service off a person's sign-in: it opens nothing here any more, and their other browsers are signed out, for
 * whoever came through it may be in one. It stays known, so that it does not join them again until they allow it.
 * @throws AppError NOT_FOUND when it is not joined; VALIDATION_FAILED when it is their only way in
 */
export async function removeIdentity(
  actor: Actor,
  self: { userId: string; sessionId: string },
  provider: Identity["provider"],
): Promise<void> {
  const { userId, sessionId } = self;
  await prisma().$transaction(async (tx) => {
    // A sign-in under way looks for its identity behind this lock, and two removals at once leave one way in.
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
    const { email, passwordHash } = await findSelf(userId, tx);
    const { count } = await tx.userIdentity.updateMany({
      where: { userId, provider, removedAt: null },
      data: { removedAt: await databaseNow(tx) },
    });
    if (count === 0) throw notFound("The sign-in");
    if (passwordHash === null && (await tx.userIdentity.count({ where: { userId, removedAt: null } })) === 0) {
      throw new AppError("VALIDATION_FAILED", "It is your only way to sign in. Set a password first.");
    }
    await tx.userToken.deleteMany({ where: { userId, purpose: `second-step-${provider}`, usedAt: null } });
    const sessionsEnded = await revokeAll(tx, userId, sessionId);
    await tellByMail(tx, identityMail(email, provider, "removed"));
    await recordAudit(tx, actor, {
      accountId: null,
      action: "person.remove-identity",
      subject: userId,
      before: { provider },
      after: { sessionsEnded },
    });
  });
  wakeRelay();
}

/**
 * Lets a service that was taken off join its person again, at their next sign-in through it while it confirms their address.
 * @throws AppError NOT_FOUND when none was taken off
 */
export async function allowIdentity(actor: Actor, userId: string, provider: Identity["provider"]): Promise<void> {
  await prisma().$transaction(async (tx) => {
    const { count } = await tx.userIdentity.deleteMany({ where: { userId, provider, removedAt: { not: null } } });
    if (count === 0) throw notFound("The sign-in");
    await recordAudit(tx, actor, {
      accountId: null,
      action: "person.allow-identity",
      subject: userId,
      after: { provider },
    });
  });
}
