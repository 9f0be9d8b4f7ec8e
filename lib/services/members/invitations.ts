import { databaseNow } from "@/lib/db/database-now";
import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { emailSpellings } from "@/lib/domain/email-address";
import { AppError, invalidField, notFound } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { isRole, mayDo, ROLE_WORDS, ROLES, type Role } from "@/lib/domain/panel-actions";
import { hashSecretToken, newSecretToken } from "@/lib/domain/secret-token";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { normalizeEmail } from "@/lib/services/accounts/create-user";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { tellByMail } from "@/lib/services/mail/enqueue-mail";
import { assertMayGive, assertStillMay, mayGive, type TeamActor } from "@/lib/services/members/member-rules";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { invitationLink, invitationMail } from "@/lib/services/people/mail-texts";
import { countAttempt } from "@/lib/services/people/throttle-attempts";

const LIFETIME_MS = 7 * 86_400_000;
const MAX_OPEN = 50;

/** An invitation that is open: not accepted, revoked or too old. */
export interface OpenInvitation {
  id: string;
  email: string;
  role: Role;
  createdAt: Date;
  expiresAt: Date;
}

/** The open invitations of an account, the newest first. */
export async function listInvitations(accountId: string): Promise<OpenInvitation[]> {
  const rows = await prisma().invitation.findMany({
    where: { accountId, ...openAt(await databaseNow(prisma())) },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { id: true, email: true, role: true, createdAt: true, expiresAt: true },
  });
  return rows.flatMap((row) => (isRole(row.role) ? [{ ...row, role: row.role }] : []));
}

/**
 * Invites a person by their e-mail address; an older open invitation of the same address no longer works, but for one with
 * another role by somebody else: it would end unseen, and its role with it.
 * @returns the link, which exists nowhere else; null when it went by mail. A link that the inviter had as well would prove the
 *   address of somebody else to them.
 * @throws AppError VALIDATION_FAILED: a wrong address, a member already, invited otherwise by somebody else, more than one's own
 *   role, too many open ones; RATE_LIMITED
 */
export async function inviteMember(
  team: TeamActor,
  input: { email: string; role: Role },
): Promise<{ id: string; link: string | null }> {
  const { accountId, actor } = team;
  const email = normalizeEmail(input.email);
  const spellings = emailSpellings(email);
  assertMayGive(team.role, input.role);
  await countAttempt({ kind: "invitation", value: accountId });
  if (isMailConfigured()) await countAttempt({ kind: "mail", value: `invitation ${accountId} ${email}` });
  const token = newSecretToken();
  const id = newId("invitation");
  await prisma().$transaction(async (tx) => {
    const account = await lockAccount(tx, accountId);
    assertMayGive((await assertStillMay(tx, actor, accountId, "team.invite")) ?? team.role, input.role);
    const isMember = await tx.member.findFirst({ where: { accountId, user: { email: { in: spellings } } } });
    if (isMember) throw invalidField("email", "belongs to a member of the team already");
    const now = await databaseNow(tx);
    const open = { accountId, ...openAt(now) };
    await assertNotInvitedOtherwise(tx, actor, { ...open, email: { in: spellings }, role: { not: input.role } });
    await tx.invitation.updateMany({ where: { ...open, email: { in: spellings } }, data: { revokedAt: now } });
    if ((await tx.invitation.count({ where: open })) >= MAX_OPEN) {
      throw invalidField("email", `cannot be invited: ${MAX_OPEN} invitations are open. Revoke some first`);
    }
    await tx.invitation.create({
      data: {
        id,
        accountId,
        email,
        role: input.role,
        tokenHash: hashSecretToken(token),
        invitedById: actor.userId ?? null,
        expiresAt: new Date(now.getTime() + LIFETIME_MS),
      },
    });
    await tellByMail(tx, invitationMail(email, await invitationOf(tx, account, team, input.role), token));
    await recordAudit(tx, actor, {
      accountId,
      action: "team.invite",
      subject: id,
      after: { email, role: input.role },
    });
  });
  wakeRelay();
  return { id, link: isMailConfigured() ? null : invitationLink(token) };
}

async function assertNotInvitedOtherwise(
  tx: Prisma.TransactionClient,
  { userId = "" }: Actor,
  where: Prisma.InvitationWhereInput,
): Promise<void> {
  // Whoever invited them may be gone by now.
  const other = await tx.invitation.findFirst({
    where: { ...where, OR: [{ invitedById: null }, { invitedById: { not: userId } }] },
    select: { role: true },
  });
  if (!other || !isRole(other.role)) return;
  throw invalidField(
    "email",
    `is invited as ${ROLE_WORDS[other.role]} already, by somebody else. Take that invitation back to invite them otherwise`,
  );
}

async function invitationOf(
  tx: Prisma.TransactionClient,
  { companyName }: { companyName: string },
  { actor }: TeamActor,
  role: Role,
): Promise<{ companyName: string; role: Role; by: string | null }> {
  const inviter = actor.userId === undefined ? null : await tx.user.findUnique({ where: { id: actor.userId } });
  return { companyName, role, by: inviter?.email ?? null };
}

/**
 * Takes an open invitation back.
 * @throws AppError NOT_FOUND when it is another account's or not open; VALIDATION_FAILED when it was accepted: whoever meant to
 *   keep that person out has to remove them
 */
export async function revokeInvitation(team: TeamActor, invitationId: string): Promise<void> {
  const { accountId, actor } = team;
  await prisma().$transaction(async (tx) => {
    await assertStillMay(tx, actor, accountId, "team.revoke-invitation");
    const { count } = await tx.invitation.updateMany({
      where: { id: invitationId, accountId, acceptedAt: null, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (count === 0) throw await whyNotTakenBack(tx, accountId, invitationId);
    await recordAudit(tx, actor, { accountId, action: "team.revoke-invitation", subject: invitationId });
  });
}

async function whyNotTakenBack(tx: Prisma.TransactionClient, accountId: string, id: string): Promise<AppError> {
  const accepted = await tx.invitation.findFirst({ where: { id, accountId, acceptedAt: { not: null } } });
  if (!accepted) return notFound("The invitation");
  const words = `${accepted.email} accepted this invitation already. Load the page again: whoever is in the team is removed there.`;
  return new AppError("VALIDATION_FAILED", words);
}

/**
 * Takes back the open invitations of a person that they could not send any more: whoever is removed or made less would
 * else come back by one, under another address, with what was taken from them.
 * @param member who they are from now on; their role null: no member any more
 * @returns how many there were
 */
export async function takeBackInvitations(
  tx: Prisma.TransactionClient,
  accountId: string,
  member: { userId: string; role: Role | null },
): Promise<number> {
  const { userId, role: own } = member;
  const given = own !== null && mayDo(own, "team.invite") ? ROLES.filter((role) => mayGive(own, role)) : [];
  return closeInvitations(tx, { accountId, invitedById: userId, role: { notIn: given } });
}

/** Takes back those of the open invitations that are meant, in the caller's transaction; returns how many there were. */
export async function closeInvitations(
  tx: Prisma.TransactionClient,
  which: Pick<Prisma.InvitationWhereInput, "accountId" | "invitedById" | "role">,
): Promise<number> {
  const { count } = await tx.invitation.updateMany({
    where: { ...which, ...openAt(await databaseNow(tx)) },
    data: { revokedAt: new Date() },
  });
  return count;
}

/** What an invitation is that is open. @param now by the database's clock: it may have been made on another machine */
export function openAt(now: Date) {
  return { acceptedAt: null, revokedAt: null, expiresAt: { gt: now } };
}

/** An invitation that cannot be accepted (any more). */
export function goneInvitation(): AppError {
  return new AppError("NOT_FOUND", "This invitation does not work any more. Ask for a new one.");
}
