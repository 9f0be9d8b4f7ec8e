import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { findInDatabase } from "@/e2e/support/canary-search";
import { onOtherClock } from "@/e2e/support/other-clock";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { ownerActor, switchOnSecondFactor } from "@/e2e/support/test-people";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { SIGN_UP_CREDITS } from "@/lib/domain/plans";
import { createAccount } from "@/lib/services/accounts/create-account";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { erasePerson } from "@/lib/services/data-rights/erase-person";
import { acceptAsNewPerson, findInvitation } from "@/lib/services/members/accept-invitation";
import { removeMember } from "@/lib/services/members/change-members";
import { inviteMember } from "@/lib/services/members/invitations";
import { createPasswordLink } from "@/lib/services/people/change-password";
import { listMemberships } from "@/lib/services/people/list-memberships";
import { openAnotherAccount } from "@/lib/services/people/open-account";
import { findPersonSession } from "@/lib/services/people/person-session";
import { signIn } from "@/lib/services/people/sign-in";

const PASSWORD = "seven green bottles";

const database = useServiceDatabase();

/** Somebody who was invited, worked, and was taken off their only team; signed in, with a second factor. */
async function removedPerson() {
  const canary = `canary${randomBytes(6).toString("hex")}`;
  const email = `${canary}@acme.example`;
  const { accountId, owner } = await createAccount(OPERATOR, {
    companyName: "Acme",
    email: `owner-${randomBytes(6).toString("hex")}@acme.example`,
    isVerified: true,
    planId: "free",
    credits: 0,
  });
  const team = { accountId, role: "owner", actor: ownerActor(owner.userId) } as const;
  const invite = async () => (await inviteMember(team, { email, role: "admin" })).link?.split("/").at(-1) ?? "";
  await acceptAsNewPerson({ token: await invite(), name: canary, password: PASSWORD }, null);
  const signedIn = await signIn({ email, password: PASSWORD }, { ip: canary, userAgent: canary, previousToken: null });
  if (signedIn.outcome !== "signed-in") throw new Error(signedIn.outcome);
  const { userId, token } = signedIn;
  const sessionId = (await findPersonSession(token))?.sessionId ?? "";
  await switchOnSecondFactor({ userId, sessionId });
  const actor = { kind: "owner", userId, sessionId, ip: canary } as const;
  const remove = () => removeMember(team, userId);
  return { canary, email, userId, token, actor, accountId, invite, remove };
}

async function creditsOf(accountId = ""): Promise<number> {
  const { creditBalance } = await prisma().account.findUniqueOrThrow({ where: { id: accountId } });
  return Number(creditBalance);
}

describe("a person without an account", () => {
  it("is erased for themselves from every table; the team keeps who was invited, and may invite them anew", async () => {
    const { canary, email, userId, token, actor, accountId, invite, remove } = await removedPerson();
    await remove();
    await createPasswordLink(OPERATOR, { email });
    const byOrAbout = { accountId, OR: [{ actorId: userId }, { subject: userId }] };
    const teamsLines = await prisma().auditEntry.count({ where: byOrAbout });
    expect(teamsLines).toBeGreaterThan(0);
    await invite();
    const past = new Date(Date.now() - 60_000);
    await prisma().invitation.updateMany({ where: { email, acceptedAt: null }, data: { expiresAt: past } });
    await invite();
    // Each takes the one before it back that is still open.
    const open = await invite();
    await expect(erasePerson(actor, { userId, confirmation: "another@acme.example" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    await erasePerson(actor, { userId, confirmation: email });
    expect(await prisma().auditEntry.count({ where: byOrAbout }), "the team's own lines").toBe(teamsLines);
    expect(await findPersonSession(token)).toBeNull();
    expect(await findInvitation(open)).toMatchObject({ email, hasPerson: false });
    const { count } = await prisma().invitation.deleteMany({ where: { email } });
    expect(count, "the one that waits, and none that was accepted, taken back or is over").toBe(1);
    // What a team has written down of whom it invited is the team's own.
    expect(await findInDatabase(database.url, canary)).toEqual(["audit_log"]);
    const { rows } = await db().query("SELECT DISTINCT action FROM audit_log t WHERE strpos(t::text, $1) > 0", [
      canary,
    ]);
    expect(rows).toEqual([{ action: "team.invite" }]);
    const lines = await db().query(
      "SELECT action, actor_id, ip FROM audit_log WHERE account_id IS NULL AND (subject = $1 OR actor_id = $1)",
      [userId],
    );
    expect(lines.rows).toEqual([{ action: "person.erase", actor_id: null, ip: null }]);
  });

  it("keeps an invitation that others may still accept, also where a machine erases whose clock is ahead", async () => {
    const { email, userId, actor, invite, remove } = await removedPerson();
    await remove();
    const open = await invite();
    const soon = new Date(Date.now() + 3_600_000);
    await prisma().invitation.updateMany({ where: { email, acceptedAt: null }, data: { expiresAt: soon } });
    await onOtherClock(2, () => erasePerson(actor, { userId, confirmation: email }));
    expect(await findInvitation(open)).not.toBeNull();
  });

  it("opens one of their own, once, with what a sign-up gives, and a next one without its credits", async () => {
    const { userId, actor, remove } = await removedPerson();
    await remove();
    const open = () => openAnotherAccount(actor, userId, " Own GmbH ");
    const held = { statement: "SELECT FROM users WHERE id = $1 FOR UPDATE", id: userId };
    const tries = await whileHeld(held, open, open, open);
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [own, ...others] = await listMemberships(userId);
    expect([own?.role, own?.account.companyName, own?.account.verificationStatus, others]).toEqual([
      "owner",
      "Own GmbH",
      "unsubmitted",
      [],
    ]);
    expect(await creditsOf(own?.account.id)).toBe(SIGN_UP_CREDITS);
    await prisma().member.deleteMany({ where: { userId } });
    const { accountId } = await openAnotherAccount(actor, userId, "Next GmbH");
    expect(await creditsOf(accountId)).toBe(0);
  });

  it("is neither, while they belong to a team, shut out, once their session has ended, or when they are staff", async () => {
    const { userId, email, actor, remove } = await removedPerson();
    const refused = async (who: { userId: string; email: string }, by: typeof actor, code: string) => {
      await expect(erasePerson(by, { userId: who.userId, confirmation: who.email })).rejects.toMatchObject({ code });
      await expect(openAnotherAccount(by, who.userId, "Own GmbH")).rejects.toMatchObject({ code });
    };
    await refused({ userId, email }, actor, "VALIDATION_FAILED");
    await remove();
    await prisma().user.update({ where: { id: userId }, data: { disabledAt: new Date() } });
    await refused({ userId, email }, actor, "NOT_FOUND");
    await prisma().user.update({ where: { id: userId }, data: { disabledAt: null } });
    await prisma().userSession.updateMany({ where: { userId }, data: { revokedAt: new Date() } });
    await refused({ userId, email }, actor, "NOT_FOUND");
    const staff = await createStaff(OPERATOR, { email: `staff-${randomBytes(6).toString("hex")}@service.example` });
    await refused(staff, { ...actor, userId: staff.userId }, "NOT_FOUND");
    expect(await prisma().user.count({ where: { id: { in: [userId, staff.userId] } } })).toBe(2);
  });
});
