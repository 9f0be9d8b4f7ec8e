import { databaseNow } from "@/lib/db/database-now";
import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { spellEmail } from "@/lib/domain/email-address";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { isRole, type Role } from "@/lib/domain/panel-actions";
import { hashSecretToken, isSecretToken } from "@/lib/domain/secret-token";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { createUser } from "@/lib/services/accounts/create-user";
import { findPerson } from "@/lib/services/accounts/find-person";
import { hashPassword } from "@/lib/services/accounts/hash-password";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { goneInvitation, openAt } from "@/lib/services/members/invitations";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { assertGoodPassword } from "@/lib/services/people/check-password";
import { findSelf } from "@/lib/services/people/find-self";
import { isPasswordOf } from "@/lib/services/people/prove-password";
import { countAttempt, giveAttemptBack } from "@/lib/services/people/throttle-attempts";

/** An open invitation, as whoever holds its link sees it. */
export interface InvitationOffer {
  companyName: string;
  email: string;
  role: Role;
  /** Whether somebody with that address signs in here already. */
  hasPerson: boolean;
}

/** The invitation behind a link; null when it does not work (any more). */
export async function findInvitation(
  token: string,
  tx: Prisma.TransactionClient = prisma(),
): Promise<InvitationOffer | null> {
  if (!isSecretToken(token)) return null;
  const row = await tx.invitation.findFirst({
    where: { tokenHash: hashSecretToken(token), ...openAt(await databaseNow(tx)) },
    include: { account: { select: { companyName: true } } },
  });
  if (!row || !isRole(row.role)) return null;
  const person = await findPerson(tx, row.email);
  return { companyName: row.account.companyName, email: row.email, role: row.role, hasPerson: person !== null };
}

/**
 * Joins a person who is signed in. The invitation has to be for their address: a link that went astray opens nothing. Once more
 * it changes nothing, as after an answer that was lost.
 * @throws AppError NOT_FOUND when it does not work (any more); VALIDATION_FAILED for another's, and for staff
 */
export async function acceptInvitation(actor: Actor, token: string): Promise<{ accountId: string }> {
  const joined = await prisma().$transaction(async (tx) => {
    const user = await findSelf(actor.userId ?? "", tx);
    return join(tx, actor, token, { id: user.id, email: user.email, isStaff: user.isStaff });
  });
  wakeRelay();
  return joined;
}

/**
 * Creates the invited person with a password of theirs and joins them. A link that was mailed proves the address; one that was
 * passed on by hand does not. Once more, with the password that they chose, it changes nothing.
 * @throws AppError NOT_FOUND when it does not work (any more); VALIDATION_FAILED for a bad password or when the person exists;
 * RATE_LIMITED
 */
export async function acceptAsNewPerson(
  input: { token: string; name: string; password: string },
  ip: string | null,
): Promise<{ email: string }> {
  const counted = await countAttempt({ kind: "request", value: ip });
  const offer = await findInvitation(input.token);
  const joined = offer ? null : await findJoinedAs(input);
  if (joined) {
    await giveAttemptBack(counted);
    return joined;
  }
  if (!offer) throw goneInvitation();
  const { email } = offer;
  assertGoodPassword(input.password, email);
  const passwordHash = await hashPassword(input.password);
  const person = { email, passwordHash, isEmailConfirmed: isMailConfigured() };
  await prisma()
    .$transaction((tx) => createIn(tx, input, person, ip))
    .catch(async (error: unknown) => {
      // Of the same press twice at once the second comes too late for its own address.
      if (!(await findJoinedAs(input))) throw error;
    });
  wakeRelay();
  // A team may join from one office: who was invited asked for nothing.
  await giveAttemptBack(counted);
  return { email };
}

/**
 * The same for somebody whom another service brings, whose address it has confirmed; in the caller's transaction.
 * @returns the person's id; null when the invitation is for another address, or does not work (any more)
 */
export async function joinThroughService(
  tx: Prisma.TransactionClient,
  { token, email, name }: { token: string; email: string; name?: string },
  ip: string | null,
): Promise<string | null> {
  const offer = await findInvitation(token, tx);
  if (!offer || spellEmail(offer.email) !== email) return null;
  return createIn(tx, { token, name: name ?? "" }, { email, passwordHash: null, isEmailConfirmed: true }, ip);
}

/** Whether that invitation brought a person into its team, where they are still. */
export async function hasJoinedBy(token: string, userId: string): Promise<boolean> {
  return (await findJoined(prisma(), token))?.userId === userId;
}

/** Who joined by that link with that password; null: nobody did. */
async function findJoinedAs(input: { token: string; password: string }): Promise<{ email: string } | null> {
  const joined = await findJoined(prisma(), input.token);
  return joined && (await isPasswordOf(joined.userId, input.password)) ? { email: joined.email } : null;
}

/** Creates the invited person and joins them; returns their id. */
async function createIn(
  tx: Prisma.TransactionClient,
  { token, name }: { token: string; name: string },
  person: { email: string; passwordHash: string | null; isEmailConfirmed: boolean },
  ip: string | null,
): Promise<string> {
  const id = newId("user");
  const named = name.trim() === "" ? {} : { name: name.trim() };
  await createUser(tx, { id, ...person, ...named, isStaff: false });
  const actor: Actor = { kind: "owner", userId: id, ...(ip !== null && { ip }) };
  await join(tx, actor, token, { id, email: person.email, isStaff: false });
  return id;
}

async function join(
  tx: Prisma.TransactionClient,
  actor: Actor,
  token: string,
  person: { id: string; email: string; isStaff: boolean },
): Promise<{ accountId: string }> {
  const invitation = isSecretToken(token)
    ? await tx.invitation.findFirst({ where: { tokenHash: hashSecretToken(token), ...openAt(await databaseNow(tx)) } })
    : null;
  if (!invitation) return asJoined(tx, token, person);
  if (person.isStaff) {
    throw new AppError(
      "VALIDATION_FAILED",
      "Staff of this service join no team. Have another address of yours invited.",
    );
  }
  if (spellEmail(invitation.email) !== spellEmail(person.email)) {
    throw new AppError("VALIDATION_FAILED", `This invitation is for ${invitation.email}. Sign in with that address.`);
  }
  const { id, accountId, role } = invitation;
  // Who closes or removes invitations holds the account first; the member's row, which refers to it, would wait for them too late.
  await tx.$queryRaw`SELECT 1 FROM accounts WHERE id = ${accountId} FOR KEY SHARE`;
  const { count } = await tx.invitation.updateMany({
    where: { id, acceptedAt: null, revokedAt: null },
    data: { acceptedAt: new Date() },
  });
  // Of the same press twice at once the second waited here for the first.
  if (count === 0) return asJoined(tx, token, person);
  // Somebody who is in the team already, under another address when they were invited, stays what they are.
  const membership = { accountId_userId: { accountId, userId: person.id } };
  const before = await tx.member.findUnique({ where: membership, select: { role: true } });
  await tx.member.upsert({ where: membership, create: { accountId, userId: person.id, role }, update: {} });
  await recordAudit(tx, actor, {
    accountId,
    action: "team.join",
    subject: person.id,
    ...(before && { before }),
    after: { role: before?.role ?? role, invitationId: id },
  });
  if (!before && isRole(role) && role !== "member")
    await tellOwners(tx, actor, accountId, { action: "team.join", role });
  return { accountId };
}

/** Of an invitation that is not open any more: its person is in by it. @throws AppError NOT_FOUND when they are not */
async function asJoined(
  tx: Prisma.TransactionClient,
  token: string,
  person: { id: string },
): Promise<{ accountId: string }> {
  const joined = await findJoined(tx, token);
  if (joined?.userId !== person.id) throw goneInvitation();
  return { accountId: joined.accountId };
}

/** Who accepted the invitation of a link and still is in the team: they may have been left without the answer. */
async function findJoined(
  tx: Prisma.TransactionClient,
  token: string,
): Promise<{ userId: string; email: string; accountId: string } | null> {
  if (!isSecretToken(token)) return null;
  const accepted = await tx.invitation.findFirst({
    where: { tokenHash: hashSecretToken(token), acceptedAt: { not: null }, expiresAt: { gt: await databaseNow(tx) } },
  });
  const person = accepted && (await findPerson(tx, accepted.email));
  if (!accepted || !person) return null;
  const membership = { accountId_userId: { accountId: accepted.accountId, userId: person.id } };
  const member = await tx.member.findUnique({ where: membership, select: { userId: true } });
  return member && { userId: person.id, email: person.email, accountId: accepted.accountId };
}
