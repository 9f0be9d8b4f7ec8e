import { beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import {
  newTestOwner,
  ownerActor,
  sessionOf,
  switchOnSecondFactor,
  TEST_BROWSER,
  type TestOwner,
} from "@/e2e/support/test-people";
import { prisma } from "@/lib/db/prisma";
import { addCredits } from "@/lib/services/accounts/add-credits";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { verifyAccount } from "@/lib/services/accounts/verify-account";
import { inviteMember, revokeInvitation } from "@/lib/services/members/invitations";
import { createPasswordLink } from "@/lib/services/people/change-password";
import { allowIdentity, removeIdentity } from "@/lib/services/people/manage-identities";
import { revokeOtherSessions, revokePersonSession } from "@/lib/services/people/manage-person-sessions";
import { renewRecoveryCodes } from "@/lib/services/people/recovery-codes";
import { disableSecondFactor } from "@/lib/services/people/set-up-second-factor";
import { signInWithIdentity } from "@/lib/services/people/sign-in-with-identity";
import { createWebhook } from "@/lib/services/webhooks/create-webhook";
import { deleteWebhook } from "@/lib/services/webhooks/delete-webhook";

let account: TestAccount;
let owner: Actor & { userId: string };
let person: TestOwner;

useServiceDatabase();
beforeAll(async () => {
  account = await createTestAccount();
  owner = await ownerOf(account);
  person = await newTestOwner();
});

/** Does something and gives what its line has to be about. */
type Act = () => Promise<{ actor: Actor; subject: string; accountId: string | null }>;

const ofAccount = (actor: Actor, subject: string) => ({ actor, subject, accountId: account.accountId });
const ofPerson = (actor: Actor = ownerActor(person.userId)) => ({ actor, subject: person.userId, accountId: null });

const ACTS: Record<string, Act> = {
  "account.add-credits": async () => {
    const { accountId } = account;
    await addCredits(OPERATOR, { accountId, amount: 5, reason: "Paid" });
    return ofAccount(OPERATOR, accountId);
  },
  "account.verify": async () => {
    await verifyAccount(OPERATOR, account);
    return ofAccount(OPERATOR, account.accountId);
  },
  "staff.create": async () => {
    const { userId } = await createStaff(OPERATOR, { email: "staff@acme.example" });
    return { actor: OPERATOR, subject: userId, accountId: null };
  },
  "team.revoke-invitation": async () => {
    const team = { accountId: account.accountId, role: "owner", actor: owner } as const;
    const { id } = await inviteMember(team, { email: "guest@acme.example", role: "member" });
    await revokeInvitation(team, id);
    return ofAccount(owner, id);
  },
  "webhook.delete": async () => {
    const { id } = await createWebhook(account, { url: "https://client.example/", events: ["error"], active: true });
    await deleteWebhook(owner, account, id);
    return ofAccount(owner, id);
  },
  "person.create-password-link": async () => {
    await createPasswordLink(OPERATOR, person);
    return ofPerson(OPERATOR);
  },
  "person.sign-out": async () => {
    const { sessionId } = await sessionOf(person);
    await revokePersonSession(ownerActor(person.userId), person.userId, sessionId);
    return ofPerson();
  },
  "person.sign-out-everywhere": async () => {
    await revokeOtherSessions(ownerActor(person.userId), person.userId, null);
    return ofPerson();
  },
  "person.renew-recovery-codes": async () => {
    const { recoveryCodes } = await switchOnSecondFactor((await sessionOf(person)).self);
    await renewRecoveryCodes(ownerActor(person.userId), person.userId, recoveryCodes[0] ?? "");
    return ofPerson();
  },
  "person.allow-identity": async () => {
    const { userId, email, password } = await newTestOwner();
    const { self } = await sessionOf({ email, password });
    const actor = ownerActor(userId);
    await signInWithIdentity({ provider: "google", subject: "g-1", email, name: null }, TEST_BROWSER);
    await removeIdentity(actor, self, "google");
    await allowIdentity(actor, userId, "google");
    return { actor, subject: userId, accountId: null };
  },
  "person.disable-second-factor": async () => {
    const stranger = await newTestOwner();
    const { recoveryCodes } = await switchOnSecondFactor((await sessionOf(stranger)).self);
    await disableSecondFactor(ownerActor(stranger.userId), stranger.userId, recoveryCodes[0] ?? "");
    return { actor: ownerActor(stranger.userId), subject: stranger.userId, accountId: null };
  },
};

describe("the audit log", () => {
  it.each(Object.entries(ACTS))("says who did it and to what: %s", async (action, act) => {
    const { actor, subject, accountId } = await act();
    const lines = await prisma().auditEntry.findMany({ where: { action, subject } });
    expect(lines).toMatchObject([{ actorKind: actor.kind, actorId: actor.userId ?? null, accountId }]);
  });
});
