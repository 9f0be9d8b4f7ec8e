import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import { prisma } from "@/lib/db/prisma";
import { closeAccount } from "@/lib/services/accounts/close-account";
import { createAccount } from "@/lib/services/accounts/create-account";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { disableStaff } from "@/lib/services/accounts/disable-staff";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { findCallableKeys } from "@/lib/services/api-keys/find-callable-keys";
import { acceptAsNewPerson, findInvitation } from "@/lib/services/members/accept-invitation";
import { inviteMember, revokeInvitation } from "@/lib/services/members/invitations";
import { createPasswordLink, isPasswordLinkGood, resetPassword } from "@/lib/services/people/change-password";
import { findPersonSession } from "@/lib/services/people/person-session";
import { signIn } from "@/lib/services/people/sign-in";

const BROWSER = { ip: null, userAgent: null, previousToken: null };

useServiceDatabase();

describe("a member of staff who is shut out", () => {
  it("is signed out everywhere and signs in no more; a second time changes nothing", async () => {
    const { userId, email, password } = await createStaff(OPERATOR, { email: "left@service.example" });
    const session = await signIn({ email, password, code: "" }, BROWSER);
    if (session.outcome !== "signed-in") throw new Error(session.outcome);
    const shut = await disableStaff(OPERATOR, { email: "Left@Service.example", reason: "left us" });
    expect(shut).toEqual({ userId, email, disabledAt: expect.any(Date) });
    expect(await findPersonSession(session.token)).toBeNull();
    expect(await signIn({ email, password, code: "" }, BROWSER)).toEqual({ outcome: "wrong" });
    expect(await disableStaff(OPERATOR, { email, reason: "again" })).toEqual(shut);
    const lines = await prisma().auditEntry.findMany({ where: { action: "person.disable" } });
    expect(lines).toMatchObject([{ subject: userId, reason: "left us" }]);
  });

  it("is nobody of an account, and nobody without a reason", async () => {
    const { owner } = await createAccount(OPERATOR, {
      ...{ companyName: "Acme", email: "owner@acme.example", isVerified: true, planId: "free", credits: 0 },
    });
    await expect(disableStaff(OPERATOR, { email: owner.email, reason: "x" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(disableStaff(OPERATOR, { email: "a@b.example", reason: " " })).rejects.toMatchObject({
      param: "reason",
    });
    expect(await prisma().user.count({ where: { disabledAt: { not: null }, email: owner.email } })).toBe(0);
  });
});

describe("an account that is shut for good", () => {
  it("lets nobody in by a link from before: its people's own, nor an invitation to it or by them", async () => {
    const company = { companyName: "Acme", isVerified: true, planId: "free", credits: 0 } as const;
    const shut = await createAccount(OPERATOR, { ...company, email: "owner@shut.example" });
    const other = await createAccount(OPERATOR, { ...company, email: "owner@other.example" });
    const invite = async (accountId: string, userId: string, email: string) => {
      await prisma().member.upsert({
        where: { accountId_userId: { accountId, userId } },
        create: { accountId, userId, role: "owner" },
        update: {},
      });
      const team = { accountId, role: "owner", actor: { kind: "owner", userId } } as const;
      const { link } = await inviteMember(team, { email, role: "owner" });
      return link?.split("/").at(-1) ?? "";
    };
    const [into, by, stays] = [
      await invite(shut.accountId, other.owner.userId, "a@else.example"),
      await invite(other.accountId, shut.owner.userId, "b@else.example"),
      await invite(other.accountId, other.owner.userId, "c@else.example"),
    ];
    const { link } = await createPasswordLink(OPERATOR, { email: shut.owner.email });
    await closeAccount(OPERATOR, { accountId: shut.accountId, emails: [shut.owner.email], reason: "over" });
    expect([await findInvitation(into), await findInvitation(by)]).toEqual([null, null]);
    expect(await findInvitation(stays)).toMatchObject({ email: "c@else.example" });
    expect(await isPasswordLinkGood(link.split("token=")[1] ?? "")).toBe(false);
  });

  it("has no key any more, and every other account keeps its own; a second time changes nothing", async () => {
    const [shut, other] = [await createTestAccount(), await createTestAccount()];
    const close = () => closeAccount(OPERATOR, { accountId: shut.accountId, emails: [], reason: "over" });
    expect(await close()).toMatchObject({ keysRevoked: 1 });
    expect(await close()).toMatchObject({ keysRevoked: 0 });
    const callable = await findCallableKeys([shut.principal.apiKeyId, other.principal.apiKeyId]);
    expect([...callable]).toEqual([other.principal.apiKeyId]);
    const lines = await prisma().auditEntry.findMany({ where: { action: "account.close", accountId: shut.accountId } });
    expect(lines).toMatchObject([
      { before: { verification: "verified" }, after: { verification: "suspended", keysRevoked: 1 } },
    ]);
  });

  it("lets nobody in who accepts at that moment, and neither of the two fails by the other", async () => {
    const company = { companyName: "Acme", isVerified: true, planId: "free", credits: 0 } as const;
    const { accountId, owner } = await createAccount(OPERATOR, { ...company, email: "owner@late.example" });
    const team = { accountId, role: "owner", actor: { kind: "owner", userId: owner.userId } } as const;
    const { link } = await inviteMember(team, { email: "late@else.example", role: "owner" });
    const token = link?.split("/").at(-1) ?? "";
    const [closed, accepted] = await whileHeld(
      { statement: "SELECT FROM accounts WHERE id = $1 FOR UPDATE", id: accountId },
      () => closeAccount(OPERATOR, { accountId, emails: [owner.email], reason: "over" }),
      () => acceptAsNewPerson({ token, name: "", password: "seven green bottles" }, null),
    );
    expect(closed).toMatchObject({ status: "fulfilled", value: { peopleDisabled: [owner.email] } });
    expect(accepted).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
    expect(await prisma().member.count({ where: { accountId } })).toBe(1);
  });

  it("waits for nobody who waits for it: who takes an invitation back at that moment is shut out first", async () => {
    const company = { companyName: "Acme", isVerified: true, planId: "free", credits: 0 } as const;
    const { accountId, owner } = await createAccount(OPERATOR, { ...company, email: "owner@back.example" });
    const team = { accountId, role: "owner", actor: { kind: "owner", userId: owner.userId } } as const;
    const { id } = await inviteMember(team, { email: "back@else.example", role: "owner" });
    const [closed, takenBack] = await whileHeld(
      { statement: "SELECT FROM invitations WHERE account_id = $1 FOR UPDATE", id: accountId },
      () => closeAccount(OPERATOR, { accountId, emails: [owner.email], reason: "over" }),
      () => revokeInvitation(team, id),
    );
    expect(closed).toMatchObject({ status: "fulfilled" });
    expect(takenBack).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
  });

  it("waits for nobody who takes a link for a new password at that moment, and lets them in by none", async () => {
    const company = { companyName: "Acme", isVerified: true, planId: "free", credits: 0 } as const;
    const { accountId, owner } = await createAccount(OPERATOR, { ...company, email: "owner@link.example" });
    const { link } = await createPasswordLink(OPERATOR, { email: owner.email });
    const token = link.split("token=")[1] ?? "";
    const [closed, reset] = await whileHeld(
      { statement: "SELECT FROM users WHERE id = $1 FOR UPDATE", id: owner.userId },
      () => closeAccount(OPERATOR, { accountId, emails: [owner.email], reason: "over" }),
      () => resetPassword({ token, password: "seven green bottles" }, null),
    );
    expect(closed).toMatchObject({ status: "fulfilled", value: { peopleDisabled: [owner.email] } });
    expect(reset).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
  });

  it("has its people invite nobody else at that moment, to no account of theirs", async () => {
    const company = { companyName: "Acme", isVerified: true, planId: "free", credits: 0 } as const;
    const { accountId, owner } = await createAccount(OPERATOR, { ...company, email: "owner@quick.example" });
    const team = { accountId, role: "owner", actor: { kind: "owner", userId: owner.userId } } as const;
    const [invited] = await whileHeld(
      { statement: "UPDATE users SET disabled_at = now() WHERE id = $1", id: owner.userId },
      () => inviteMember(team, { email: "quick@else.example", role: "owner" }),
    );
    expect(invited).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
    expect(await prisma().invitation.count({ where: { accountId } })).toBe(0);
  });
});
