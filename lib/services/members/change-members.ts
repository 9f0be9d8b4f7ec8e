import { prisma } from "@/lib/db/prisma";
import { changedMeanwhile } from "@/lib/domain/changed-meanwhile";
import { AppError, notFound } from "@/lib/domain/errors";
import { isRole, mayDo, ROLE_WORDS, ROLES, type Role } from "@/lib/domain/panel-actions";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { endPlaygroundKeys } from "@/lib/services/api-keys/end-playground-keys";
import { takeBackInvitations } from "@/lib/services/members/invitations";
import {
  assertMayGive,
  assertStillMay,
  lastOwner,
  lockMember,
  type TeamActor,
} from "@/lib/services/members/member-rules";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/** A person of an account's team. */
export interface TeamMember {
  userId: string;
  email: string;
  name: string | null;
  role: string;
  hasSecondFactor: boolean;
  joinedAt: Date;
  lastSignInAt: Date | null;
}

/** The people of an account, in the order in which they joined. */
export async function listMembers(accountId: string): Promise<TeamMember[]> {
  const rows = await prisma().member.findMany({
    where: { accountId },
    orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
    include: { user: { select: { email: true, name: true, lastSignInAt: true, totpSecretEncrypted: true } } },
  });
  return rows.map(({ userId, role, createdAt, user }) => ({
    userId,
    role,
    email: user.email,
    name: user.name,
    hasSecondFactor: user.totpSecretEncrypted !== null,
    joinedAt: createdAt,
    lastSignInAt: user.lastSignInAt,
  }));
}

/**
 * Gives a member another role; it counts from their next request on. Invitations that they could not send any more are taken
 * back, and keys for the playground end that they could not make any more. Owners are told by mail of one who may do more.
 * @param input.began the role that whoever changes it saw; absent (tests): whichever they have
 * @throws AppError NOT_FOUND; VALIDATION_FAILED for the last owner, for more than one's own role, and when somebody else changed
 *   it since
 */
export async function changeRole(team: TeamActor, input: { userId: string; role: Role; began?: Role }): Promise<void> {
  const { accountId, actor } = team;
  const { userId, role, began } = input;
  assertMayGive(team.role, role);
  await prisma().$transaction(async (tx) => {
    const before = await lockMember(tx, accountId, userId);
    await assertStillMay(tx, actor, accountId, "team.change-role");
    if (before.role === role) return;
    // From a page that was drawn before, what looks like less may be more than they have by now.
    if (began !== undefined && before.role !== began) throw changedMeanwhile(wordsOf(before.role), "page");
    if (before.isLastOwner) throw lastOwner();
    await tx.member.update({ where: { accountId_userId: { accountId, userId } }, data: { role } });
    const takenBack = await takeBackInvitations(tx, accountId, { userId, role });
    if (!mayDo(role, "keys.create")) await endPlaygroundKeys(tx, { userId, accountId });
    await recordAudit(tx, actor, {
      accountId,
      action: "team.change-role",
      subject: userId,
      before: { role: before.role },
      after: { role, ...(takenBack > 0 && { invitationsTakenBack: takenBack }) },
    });
    if (isMore(role, before.role)) {
      const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
      await tellOwners(tx, actor, accountId, { action: "team.change-role", email, role });
    }
  });
  wakeRelay();
}

function wordsOf(role: string): string {
  return `they were ${isRole(role) ? `made ${ROLE_WORDS[role]}` : "given another role"}`;
}

/** Roles are in order, the most first. */
function isMore(role: Role, before: string): boolean {
  return isRole(before) && ROLES.indexOf(role) < ROLES.indexOf(before);
}

/**
 * Takes a person off the team; they see nothing of the account from their next request on, their invitations are taken back,
 * and their keys for the playground end.
 * @throws AppError NOT_FOUND; VALIDATION_FAILED for the last owner, and when others than owners remove an owner
 */
export async function removeMember(team: TeamActor, userId: string): Promise<void> {
  await takeOff(team.actor, team.accountId, userId, "team.remove");
}

/** Takes oneself off the team, with one's invitations. @throws AppError VALIDATION_FAILED for the last owner */
export async function leaveTeam(actor: Actor, accountId: string): Promise<void> {
  if (actor.userId === undefined) throw notFound("The member");
  await takeOff(actor, accountId, actor.userId, "team.leave");
}

async function takeOff(
  actor: Actor,
  accountId: string,
  userId: string,
  action: "team.remove" | "team.leave",
): Promise<void> {
  await prisma().$transaction(async (tx) => {
    const member = await lockMember(tx, accountId, userId);
    const own = await assertStillMay(tx, actor, accountId, action);
    if (member.role === "owner" && own !== "owner") {
      throw new AppError("VALIDATION_FAILED", "Only an owner may remove an owner.");
    }
    if (member.isLastOwner) throw lastOwner(action === "team.leave");
    await tx.member.delete({ where: { accountId_userId: { accountId, userId } } });
    const takenBack = await takeBackInvitations(tx, accountId, { userId, role: null });
    await endPlaygroundKeys(tx, { userId, accountId });
    await recordAudit(tx, actor, {
      accountId,
      action,
      subject: userId,
      before: { role: member.role },
      ...(takenBack > 0 && { after: { invitationsTakenBack: takenBack } }),
    });
  });
}
