import { describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import type { Role } from "@/lib/domain/panel-actions";
import { createAccount } from "@/lib/services/accounts/create-account";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { limitApiKey } from "@/lib/services/api-keys/limit-api-key";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";
import { rotateApiKey } from "@/lib/services/api-keys/rotate-api-key";
import { requestAccountExport } from "@/lib/services/data-rights/account-exports";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";
import { requestErasure, requestExport } from "@/lib/services/data-rights/request-end-user-data";
import { acceptAsNewPerson, acceptInvitation, findInvitation } from "@/lib/services/members/accept-invitation";
import { changeRole, leaveTeam, listMembers, removeMember } from "@/lib/services/members/change-members";
import { inviteMember, listInvitations, revokeInvitation } from "@/lib/services/members/invitations";
import { listMemberships } from "@/lib/services/people/list-memberships";
import { findPersonSession } from "@/lib/services/people/person-session";
import { signIn } from "@/lib/services/people/sign-in";
import { createProject } from "@/lib/services/projects/create-project";
import { rotateCallbackSecret } from "@/lib/services/projects/rotate-callback-secret";
import { showCallbackSecret } from "@/lib/services/projects/show-callback-secret";
import { updateProject } from "@/lib/services/projects/update-project";
import { createWebhook } from "@/lib/services/webhooks/create-webhook";
import { deleteWebhook } from "@/lib/services/webhooks/delete-webhook";
import { reactivateWebhook } from "@/lib/services/webhooks/reactivate-webhook";
import { rotateWebhookSecret } from "@/lib/services/webhooks/rotate-webhook-secret";
import { showWebhookSecret } from "@/lib/services/webhooks/show-webhook-secret";
import { updateWebhook } from "@/lib/services/webhooks/update-webhook";

const PASSWORD = "seven green bottles";
const BROWSER = { ip: null, userAgent: null, previousToken: null };
const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

let serial = 0;

useServiceDatabase();

async function newTeam() {
  const { accountId, owner } = await createAccount(OPERATOR, {
    companyName: "Acme",
    email: `owner${++serial}@acme.example`,
    isVerified: true,
    planId: "free",
    credits: 0,
  });
  return { accountId, owner, as: teamOf(accountId, owner.userId, "owner") };
}

function teamOf(accountId: string, userId: string, role: Role) {
  return { accountId, role, actor: { kind: "owner", userId } as const };
}

const tokenOf = ({ link }: { link: string | null }) => link?.split("/").at(-1) ?? "";

async function join(team: Awaited<ReturnType<typeof newTeam>>, role: Role) {
  const email = `guest${++serial}@acme.example`;
  await acceptAsNewPerson(
    { token: tokenOf(await inviteMember(team.as, { email, role })), name: "Gus", password: PASSWORD },
    null,
  );
  const member = (await listMembers(team.accountId)).find((candidate) => candidate.email === email);
  return { userId: member?.userId ?? "", email, as: teamOf(team.accountId, member?.userId ?? "", role) };
}

/** Runs something while another transaction has done what ends the right to it, and commits when that is waited for. */
async function whileHeld<T>(statement: string, id: string, run: () => Promise<T>, waiting = 1): Promise<T> {
  const holder = await db().connect();
  try {
    await holder.query("BEGIN");
    await holder.query(statement, [id]);
    const running = run();
    running.catch(() => {});
    await expect.poll(async () => (await db().query(WAITING)).rowCount, { interval: 20 }).toBe(waiting);
    await holder.query("COMMIT");
    return await running;
  } finally {
    holder.release();
  }
}

async function roles(accountId: string): Promise<Record<string, string>> {
  return Object.fromEntries((await listMembers(accountId)).map(({ userId, role }) => [userId, role]));
}

describe("invitations", () => {
  it("let a whole team in from one office", async () => {
    const team = await newTeam();
    for (let people = 0; people < 12; people++) {
      const token = tokenOf(await inviteMember(team.as, { email: `guest${++serial}@acme.example`, role: "member" }));
      await acceptAsNewPerson({ token, name: "", password: PASSWORD }, "203.0.113.20");
    }
    expect(await listMembers(team.accountId)).toHaveLength(13);
  });

  it("are so many an hour, also when each is taken back: their mails go to whomever an account names", async () => {
    const team = await newTeam();
    const invite = async () => {
      const { id } = await inviteMember(team.as, { email: `guest${++serial}@acme.example`, role: "member" });
      await revokeInvitation(team.as, id);
    };
    for (let people = 0; people < 50; people++) await invite();
    await expect(invite()).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await expect(
      inviteMember((await newTeam()).as, { email: "x@acme.example", role: "member" }),
    ).resolves.toBeDefined();
  });

  it("let somebody new in with a password of theirs, once", async () => {
    const team = await newTeam();
    const email = `Guest${++serial}@acme.example`;
    const token = tokenOf(await inviteMember(team.as, { email, role: "member" }));
    expect(await findInvitation(token)).toEqual({
      companyName: "Acme",
      email: email.toLowerCase(),
      role: "member",
      hasPerson: false,
    });
    await acceptAsNewPerson({ token, name: " Gus ", password: PASSWORD }, null);
    expect(await findInvitation(token)).toBeNull();
    // Whoever was left without the answer presses once more; nobody else comes in by it.
    const again = (password: string) => acceptAsNewPerson({ token, name: "", password }, null);
    expect(await again(PASSWORD)).toEqual({ email: email.toLowerCase() });
    await expect(again("not that one, no")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await listMembers(team.accountId)).toHaveLength(2);
    const signedIn = await signIn({ email, password: PASSWORD }, { ip: null, userAgent: null, previousToken: null });
    const userId = signedIn.outcome === "signed-in" ? signedIn.userId : "";
    expect(await listMemberships(userId)).toMatchObject([{ role: "member", account: { id: team.accountId } }]);
  });

  it("let one person in when accepted twice at the same time", async () => {
    const team = await newTeam();
    const token = tokenOf(await inviteMember(team.as, { email: `twin${++serial}@acme.example`, role: "member" }));
    const accept = () => acceptAsNewPerson({ token, name: "", password: PASSWORD }, null);
    // Both are of the same person, who is not told that their address is somebody's.
    const [first, second] = await Promise.all([accept(), accept()]);
    expect(second).toEqual(first);
    expect(await listMembers(team.accountId)).toHaveLength(2);
  });

  it("say the same to a person of another team who accepts twice at the same time", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const token = tokenOf(await inviteMember(team.as, { email: other.owner.email, role: "admin" }));
    const accept = () => acceptInvitation(other.as.actor, token);
    const hold = "SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE";
    const both = await whileHeld(hold, team.accountId, () => Promise.all([accept(), accept()]), 2);
    expect(both).toEqual([{ accountId: team.accountId }, { accountId: team.accountId }]);
    expect(await listMembers(team.accountId)).toHaveLength(2);
  });

  it("let nobody in that are taken back at that moment", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const { id, ...invited } = await inviteMember(team.as, { email: other.owner.email, role: "admin" });
    const revoking = "UPDATE invitations SET revoked_at = now() WHERE id = $1";
    const accept = () => acceptInvitation(other.as.actor, tokenOf(invited));
    await expect(whileHeld(revoking, id, accept)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await listMembers(team.accountId)).toHaveLength(1);
  });

  it("bring a person of another team in beside it, and no one else than the invited", async () => {
    const [team, other, third] = [await newTeam(), await newTeam(), await newTeam()];
    const token = tokenOf(await inviteMember(team.as, { email: other.owner.email, role: "admin" }));
    expect(await findInvitation(token)).toMatchObject({ hasPerson: true });
    await expect(acceptInvitation(third.as.actor, token)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(await acceptInvitation(other.as.actor, token)).toEqual({ accountId: team.accountId });
    // Whoever was left without the answer presses once more.
    expect(await acceptInvitation(other.as.actor, token)).toEqual({ accountId: team.accountId });
    await expect(acceptInvitation(third.as.actor, token)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await listMemberships(other.owner.userId)).map(({ role }) => role)).toEqual(["owner", "admin"]);
    expect(await listMemberships(third.owner.userId)).toHaveLength(1);
  });

  it("are for a person in either spelling of a foreign domain", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const { userId } = other.owner;
    await db().query("UPDATE users SET email = 'guest@bücher.example' WHERE id = $1", [userId]);
    const invite = (email: string) => inviteMember(team.as, { email, role: "member" });
    const older = await invite("guest@bücher.example");
    const token = tokenOf(await invite("guest@xn--bcher-kva.example"));
    expect(await findInvitation(tokenOf(older))).toBeNull();
    expect(await findInvitation(token)).toMatchObject({ hasPerson: true });
    expect(await acceptInvitation(other.as.actor, token)).toEqual({ accountId: team.accountId });
    await expect(invite("guest@bücher.example")).rejects.toMatchObject({ param: "email" });
  });

  it("make nobody anew who is there: their password stays theirs", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const token = tokenOf(await inviteMember(team.as, { email: other.owner.email, role: "member" }));
    await expect(acceptAsNewPerson({ token, name: "", password: PASSWORD }, null)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    expect(await findInvitation(token)).not.toBeNull();
  });

  it("are not for staff, who belong to no account", async () => {
    const team = await newTeam();
    const staff = await createStaff(OPERATOR, { email: `staff${++serial}@acme.example` });
    const token = tokenOf(await inviteMember(team.as, { email: staff.email, role: "member" }));
    await expect(acceptInvitation({ kind: "staff", userId: staff.userId }, token)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringMatching(/^Staff of this service join no team/),
    });
  });

  it("end when they are taken back, are too old, or a newer one goes to the same address", async () => {
    const team = await newTeam();
    const input = { email: `guest${++serial}@acme.example`, role: "member" } as const;
    const [older, newer] = [await inviteMember(team.as, input), await inviteMember(team.as, input)];
    expect(await findInvitation(tokenOf(older))).toBeNull();
    expect((await listInvitations(team.accountId)).map(({ id }) => id)).toEqual([newer.id]);
    await revokeInvitation(team.as, newer.id);
    expect(await findInvitation(tokenOf(newer))).toBeNull();
    const last = await inviteMember(team.as, input);
    await db().query("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1", [last.id]);
    expect(await findInvitation(tokenOf(last))).toBeNull();
    expect(await listInvitations(team.accountId)).toEqual([]);
  });

  it("end by the database's clock: that of a machine may be off", async () => {
    const team = await newTeam();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 8 * 86_400_000 });
    try {
      const ahead = await inviteMember(team.as, { email: `guest${++serial}@acme.example`, role: "member" });
      vi.useRealTimers();
      const usual = await inviteMember(team.as, { email: `guest${++serial}@acme.example`, role: "member" });
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 8 * 86_400_000 });
      expect(await findInvitation(tokenOf(usual))).not.toBeNull();
      const open = await listInvitations(team.accountId);
      expect(open.map(({ id }) => id).toSorted()).toEqual([ahead.id, usual.id].toSorted());
      for (const { expiresAt } of open) expect(expiresAt.getTime()).toBeLessThan(Date.now());
    } finally {
      vi.useRealTimers();
    }
  });

  it("that were accepted are not taken back, and whoever meant to is told that the person is in", async () => {
    const team = await newTeam();
    const email = `guest${++serial}@acme.example`;
    const { id, link } = await inviteMember(team.as, { email, role: "member" });
    await acceptAsNewPerson({ token: tokenOf({ link }), name: "", password: PASSWORD }, null);
    await expect(revokeInvitation(team.as, id)).rejects.toThrow(`${email} accepted this invitation already`);
    expect(await listMembers(team.accountId)).toHaveLength(2);
  });

  it("end by no invitation of somebody else to another role, who would not know: the second is told", async () => {
    const team = await newTeam();
    const admin = await join(team, "admin");
    const email = `guest${++serial}@acme.example`;
    const as = (who: typeof team.as, role: Role) => inviteMember(who, { email, role });
    const both = await Promise.allSettled([as(team.as, "owner"), as(admin.as, "member")]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: {
        param: "email",
        message: expect.stringMatching(/is invited as (an owner|a member) already, by somebody/),
      },
    });
    for (const { id } of await listInvitations(team.accountId)) await revokeInvitation(team.as, id);
    await as(admin.as, "member");
    // To the same role anybody sends it once more, and everybody may think again about their own.
    await as(team.as, "member");
    await as(team.as, "admin");
    await expect(as(admin.as, "member")).rejects.toThrow("is invited as an admin already, by somebody else");
    expect(await listInvitations(team.accountId)).toMatchObject([{ email, role: "admin" }]);
  });

  it("of another team are not there", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const { id } = await inviteMember(team.as, { email: `guest${++serial}@acme.example`, role: "member" });
    await expect(revokeInvitation(other.as, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await listInvitations(other.accountId)).toEqual([]);
  });

  it("give nobody more than the inviter has", async () => {
    const team = await newTeam();
    const admin = await join(team, "admin");
    await expect(
      inviteMember(admin.as, { email: `guest${++serial}@acme.example`, role: "owner" }),
    ).rejects.toMatchObject({ param: "role" });
  });

  it("end with the power of who sent them: removed, gone or made less, nobody comes back by one", async () => {
    const team = await newTeam();
    const { accountId } = team;
    const open = async () => (await listInvitations(accountId)).map(({ role }) => role).sort();
    const invite = (by: typeof team.as, role: Role) =>
      inviteMember(by, { email: `guest${++serial}@acme.example`, role });
    const [removed, gone, lowered] = [await join(team, "admin"), await join(team, "admin"), await join(team, "owner")];
    await invite(team.as, "member");
    const used = await invite(removed.as, "admin");
    await db().query("UPDATE invitations SET accepted_at = now() WHERE id = $1", [used.id]);
    const token = tokenOf(await invite(removed.as, "admin"));
    await removeMember(team.as, removed.userId);
    await expect(acceptAsNewPerson({ token, name: "", password: PASSWORD }, null)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await invite(gone.as, "admin");
    await leaveTeam(gone.as.actor, accountId);
    expect(await open()).toEqual(["member"]);
    await invite(lowered.as, "owner");
    await invite(lowered.as, "admin");
    await changeRole(team.as, { userId: lowered.userId, role: "admin" });
    expect(await open()).toEqual(["admin", "member"]);
    await changeRole(team.as, { userId: lowered.userId, role: "member" });
    expect(await open()).toEqual(["member"]);
    const lines = await prisma().auditEntry.findMany({ where: { accountId, subject: removed.userId } });
    expect(lines).toContainEqual(
      expect.objectContaining({ action: "team.remove", after: { invitationsTakenBack: 1 } }),
    );
  });

  it("end with the account, from the moment on when its erasure is asked for", async () => {
    const { accountId, as } = await newTeam();
    const token = tokenOf(await inviteMember(as, { email: `guest${++serial}@acme.example`, role: "member" }));
    await requestAccountErasure(as.actor, { accountId, confirmation: "Acme" });
    expect(await findInvitation(token)).toBeNull();
  });

  it("go to no member, and keep their token as a hash alone", async () => {
    const team = await newTeam();
    await expect(inviteMember(team.as, { email: team.owner.email, role: "member" })).rejects.toMatchObject({
      param: "email",
    });
    const token = tokenOf(await inviteMember(team.as, { email: `guest${++serial}@acme.example`, role: "member" }));
    const kept = [
      ...(await db().query("SELECT * FROM invitations")).rows,
      ...(await db().query("SELECT * FROM audit_log")).rows,
    ];
    expect(JSON.stringify(kept)).not.toContain(token);
  });
});

describe("members", () => {
  it("get no role from a page that shows another than they have: who was made less would be made more unseen", async () => {
    const team = await newTeam();
    const { userId } = await join(team, "owner");
    await changeRole(team.as, { userId, role: "member", began: "owner" });
    await expect(changeRole(team.as, { userId, role: "admin", began: "owner" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("made a member by somebody else meanwhile"),
    });
    const roles = async () => (await listMembers(team.accountId)).map(({ role }) => role);
    expect(await roles()).toEqual(["owner", "member"]);
    // Whoever was left without the answer presses once more.
    await changeRole(team.as, { userId, role: "member", began: "owner" });
    await changeRole(team.as, { userId, role: "admin", began: "member" });
    expect(await roles()).toEqual(["owner", "admin"]);
  });

  it("keep an owner: the last one is neither removed nor made less, nor may they leave", async () => {
    const team = await newTeam();
    await join(team, "admin");
    const { userId } = team.owner;
    await expect(changeRole(team.as, { userId, role: "admin" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await expect(removeMember(team.as, userId)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await expect(leaveTeam(team.as.actor, team.accountId)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect((await roles(team.accountId))[userId]).toBe("owner");
  });

  it("keep an owner also when two owners remove each other at the same time", async () => {
    const team = await newTeam();
    const second = await join(team, "owner");
    await Promise.allSettled([removeMember(team.as, second.userId), removeMember(second.as, team.owner.userId)]);
    expect(Object.values(await roles(team.accountId))).toEqual(["owner"]);
  });

  it("remove nobody once they are removed themselves, also when two of three owners remove each other at the same time", async () => {
    const team = await newTeam();
    const [second, third] = [await join(team, "owner"), await join(team, "owner")];
    const results = await Promise.allSettled([
      removeMember(team.as, second.userId),
      removeMember(second.as, team.owner.userId),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(Object.keys(await roles(team.accountId))).toHaveLength(2);
    expect(await roles(team.accountId)).toHaveProperty(third.userId);
  });

  it("do nothing that gives or takes power with a role that they had until a moment ago", async () => {
    const team = await newTeam();
    const [lowered, guest] = [await join(team, "owner"), await join(team, "member")];
    const { accountId } = team;
    const { actor } = lowered.as;
    const email = `guest${++serial}@acme.example`;
    const { id } = await inviteMember(lowered.as, { email, role: "member" });
    const { keyId } = await createApiKey(actor, { accountId, name: "First", permissions: ["chat"] });
    const scope = { accountId, projectId: (await prisma().project.findFirstOrThrow({ where: { accountId } })).id };
    const webhook = { url: "https://receiver.example/", events: ["completion" as const], active: true };
    const { id: webhookId } = await createWebhook(scope, webhook, actor);
    await changeRole(team.as, { userId: lowered.userId, role: "admin" });
    await expect(inviteMember(lowered.as, { email, role: "owner" })).rejects.toMatchObject({ param: "role" });
    await changeRole(team.as, { userId: lowered.userId, role: "member" });
    const before = await prisma().auditEntry.count({ where: { accountId } });
    for (const act of [
      () => changeRole(lowered.as, { userId: guest.userId, role: "owner" }),
      () => removeMember(lowered.as, guest.userId),
      () => inviteMember(lowered.as, { email, role: "member" }),
      () => revokeInvitation(lowered.as, id),
      () => createApiKey(actor, { accountId, name: "Second", permissions: ["chat"] }),
      () => rotateApiKey(actor, scope, { keyId, overlapHours: 0 }),
      () => revokeApiKey(actor, { keyId, scope }),
      () => limitApiKey(actor, scope, { keyId, creditsPerMonth: null }),
      () => requestAccountExport(actor, accountId),
      () => requestAccountErasure(actor, { accountId, confirmation: "Acme" }),
      () => createWebhook(scope, { url: "https://a.example/", events: ["completion"], active: true }, actor),
      () => updateWebhook(actor, scope, webhookId, { url: "https://a.example/" }),
      () => reactivateWebhook(actor, scope, webhookId),
      () => showWebhookSecret(actor, scope, webhookId),
      () => rotateWebhookSecret(actor, scope, webhookId),
      () => deleteWebhook(actor, scope, webhookId),
      () => showCallbackSecret(actor, scope),
      () => rotateCallbackSecret(actor, scope),
      () => updateProject(actor, scope, { apiEnabled: false }),
      () => createProject(actor, scope, { name: "Second" }),
      () => requestExport(actor, scope, "ada"),
      () => requestErasure(actor, scope, { endUserId: "ada", confirmation: "ada" }),
    ]) {
      await expect(act(), act.toString()).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: expect.stringContaining("role"),
      });
    }
    expect(await prisma().auditEntry.count({ where: { accountId } })).toBe(before);
  });

  it("do nothing of that either while their role is just being lowered, or their session is just being ended", async () => {
    const team = await newTeam();
    const admin = await join(team, "admin");
    const { accountId } = team;
    const signedIn = await signIn({ email: admin.email, password: PASSWORD }, BROWSER);
    const session = await findPersonSession(signedIn.outcome === "signed-in" ? signedIn.token : "");
    const { sessionId = "" } = session ?? {};
    const actor = { ...admin.as.actor, sessionId };
    const scope = { accountId, projectId: (await prisma().project.findFirstOrThrow({ where: { accountId } })).id };
    const show = () => showCallbackSecret(actor, scope);
    await show();
    const lowering = "UPDATE members SET role = 'member' WHERE user_id = $1";
    await expect(whileHeld(lowering, admin.userId, show)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await changeRole(team.as, { userId: admin.userId, role: "admin" });
    const ending = "UPDATE user_sessions SET revoked_at = now() WHERE user_id = $1";
    await expect(whileHeld(ending, admin.userId, show)).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("session has ended"),
    });
  });

  it("do nothing of that either while they are just being shut out", async () => {
    const team = await newTeam();
    const admin = await join(team, "admin");
    const { accountId } = team;
    const { id: projectId } = await prisma().project.findFirstOrThrow({ where: { accountId } });
    const show = () => showCallbackSecret(admin.as.actor, { accountId, projectId });
    await show();
    const shuttingOut = "UPDATE users SET disabled_at = now() WHERE id = $1";
    await expect(whileHeld(shuttingOut, admin.userId, show)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("change roles, with a line in the audit log", async () => {
    const team = await newTeam();
    const guest = await join(team, "member");
    await changeRole(team.as, { userId: guest.userId, role: "admin" });
    expect((await roles(team.accountId))[guest.userId]).toBe("admin");
    const { rows } = await db().query(
      "SELECT actor_id, before, after FROM audit_log WHERE account_id = $1 AND action = 'team.change-role'",
      [team.accountId],
    );
    expect(rows).toEqual([{ actor_id: team.owner.userId, before: { role: "member" }, after: { role: "admin" } }]);
  });

  it("are removed by admins, but no owner is", async () => {
    const team = await newTeam();
    const [admin, guest] = [await join(team, "admin"), await join(team, "member")];
    const { userId } = await join(team, "owner"); // of two: neither is the last
    await expect(removeMember(admin.as, userId)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(await roles(team.accountId)).toMatchObject({ [userId]: "owner" });
    await removeMember(admin.as, guest.userId);
    expect(await listMemberships(guest.userId)).toEqual([]);
  });

  it("of another team are not there", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const { userId } = other.owner;
    await expect(removeMember(team.as, userId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(changeRole(team.as, { userId, role: "member" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await roles(other.accountId)).toEqual({ [userId]: "owner" });
  });

  it("leave by themselves", async () => {
    const team = await newTeam();
    const guest = await join(team, "member");
    await leaveTeam(guest.as.actor, team.accountId);
    expect(Object.keys(await roles(team.accountId))).toEqual([team.owner.userId]);
  });
});
