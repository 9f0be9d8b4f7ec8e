import type { TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { useMailbox } from "@/e2e/support/mailbox";
import {
  appOf,
  CODE_MS,
  mailsSent,
  newTestOwner,
  ownerActor,
  sessionOf,
  switchOnSecondFactor,
  TEST_BROWSER,
} from "@/e2e/support/test-people";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { changeEmail, createEmailLink } from "@/lib/services/people/change-email";
import {
  changePassword,
  createPasswordLink,
  requestPasswordReset,
  resetPassword,
} from "@/lib/services/people/change-password";
import { allowIdentity, listIdentities, removeIdentity } from "@/lib/services/people/manage-identities";
import {
  moveSecondFactor,
  offerSecondFactor,
  withdrawSecondFactorOffer,
} from "@/lib/services/people/offer-second-factor";
import { findPersonSession } from "@/lib/services/people/person-session";
import { renewRecoveryCodes } from "@/lib/services/people/recovery-codes";
import { sealSecret } from "@/lib/services/people/sealed-secret";
import { disableSecondFactor, enableSecondFactor } from "@/lib/services/people/set-up-second-factor";
import { openSession } from "@/lib/services/people/sign-in";
import { type Identity, signInWithIdentity } from "@/lib/services/people/sign-in-with-identity";

const smtp = useMailbox();
let serial = 0;

const wrongCode = { code: "VALIDATION_FAILED", param: "code" };
const sent = async () => (await mailsSent(smtp)).map(({ to, text }) => ({ to, text }));

async function newOwner() {
  const owner = await newTestOwner();
  return { ...owner, ...(await sessionOf(owner)) };
}

type Person = Awaited<ReturnType<typeof newOwner>>;

const switchOn = ({ self }: Person, app?: ReturnType<typeof appOf>) => switchOnSecondFactor(self, app);

/** Runs something that waits for a person's row, which another act holds and changes meanwhile. */
async function behind<T>({ userId: id }: { userId: string }, change: string, run: () => Promise<T>): Promise<T> {
  const [outcome] = await whileHeld<[T]>({ statement: `UPDATE users SET ${change} WHERE id = $1`, id }, run);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

const through = (owner: { email: string }): Identity => ({
  provider: "google",
  subject: `s-${++serial}`,
  email: owner.email,
  name: null,
});

describe("a mail tells a person", () => {
  it("that their second factor was switched on, moved, switched off, and that there are new recovery codes", async () => {
    const owner = await newOwner();
    const { totp, recoveryCodes } = await switchOn(owner);
    const [on, ...none] = await sent();
    expect(none).toEqual([]);
    expect(on).toMatchObject({ to: owner.email, text: expect.stringContaining("switched on") });
    expect(on?.text).toContain("https://service.example/panel/forgot-password");
    expect(on?.text).not.toContain(recoveryCodes[0] ?? "");

    await renewRecoveryCodes(ownerActor(owner.userId), owner.userId, totp.generate());
    expect(await sent()).toEqual([{ to: owner.email, text: expect.stringContaining("New recovery codes") }]);
    const next = totp.generate({ timestamp: Date.now() + CODE_MS });
    const moved = await switchOn(owner, appOf(await moveSecondFactor(owner.userId, next)));
    expect(await sent()).toEqual([{ to: owner.email, text: expect.stringContaining("moved to another app") }]);
    await disableSecondFactor(ownerActor(owner.userId), owner.userId, moved.recoveryCodes[0] ?? "");
    expect(await sent()).toEqual([{ to: owner.email, text: expect.stringContaining("was switched off") }]);
  });

  it("that the operator took their second factor off, when they had one", async () => {
    const owner = await newOwner();
    await createPasswordLink(OPERATOR, { email: owner.email, removeSecondFactor: true });
    expect(await sent()).toEqual([]);
    await switchOn(owner);
    await sent();
    await createPasswordLink(OPERATOR, { email: owner.email, removeSecondFactor: true });
    expect(await sent()).toEqual([{ to: owner.email, text: expect.stringContaining("was switched off") }]);
  });

  it("that another service opens their account, the first time alone, and when it was taken off", async () => {
    const owner = await newOwner();
    const identity = through(owner);
    await signInWithIdentity(identity, TEST_BROWSER);
    const [joined, ...none] = await sent();
    expect(none).toEqual([]);
    expect(joined).toMatchObject({ to: owner.email, text: expect.stringContaining("came through Google") });
    await signInWithIdentity(identity, TEST_BROWSER);
    await signInWithIdentity({ ...through({ email: "new@else.example" }) }, TEST_BROWSER);
    expect(await sent()).toEqual([]);
    await removeIdentity(ownerActor(owner.userId), owner.self, "google");
    expect(await sent()).toEqual([{ to: owner.email, text: expect.stringContaining("taken off") }]);
  });
});

describe("a second factor that was offered and is not on yet", () => {
  const newPassword = "seven green bottles";
  const ends: [string, (owner: Person) => Promise<unknown>][] = [
    [
      "the password is changed",
      (owner) =>
        changePassword(ownerActor(owner.userId), owner.self, { current: owner.password, password: newPassword }),
    ],
    [
      "a link sets a new password",
      async (owner) => {
        const { link } = await createPasswordLink(OPERATOR, { email: owner.email });
        return resetPassword({ token: link.split("token=")[1] ?? "", password: newPassword }, null);
      },
    ],
    [
      "the e-mail address is changed",
      async (owner) => {
        const { link } = await createEmailLink(OPERATOR, {
          email: owner.email,
          newEmail: `new${++serial}@blue.example`,
        });
        return changeEmail({ token: link.split("token=")[1] ?? "" }, null, owner.self);
      },
    ],
    [
      "the operator takes the second factor off",
      (owner) => createPasswordLink(OPERATOR, { email: owner.email, removeSecondFactor: true }),
    ],
  ];

  it.each(ends)("ends when %s", async (_what, end) => {
    const owner = await newOwner();
    const app = appOf(await offerSecondFactor(owner.userId));
    await end(owner);
    await expect(switchOn(owner, app)).rejects.toMatchObject(wrongCode);
  });

  it("ends half an hour after it was offered, given up or not, and is offered anew", async () => {
    const owner = await newOwner();
    const [now, halfHour] = [Date.now(), 30 * 60_000];
    const enable = (app: TOTP) =>
      enableSecondFactor(ownerActor(owner.userId), owner.self, app.generate({ timestamp: now }), now);
    const old = appOf(await offerSecondFactor(owner.userId, now - halfHour - 1));
    const gone = { ...wrongCode, message: expect.stringContaining("start again") };
    await expect(enable(old)).rejects.toMatchObject(gone);
    const app = appOf(await offerSecondFactor(owner.userId, now - halfHour));
    expect((await enable(app)).recoveryCodes).toHaveLength(10);
    await db().query("UPDATE users SET totp_pending_encrypted = $2 WHERE id = $1", [
      owner.userId,
      sealSecret(app.secret.base32),
    ]);
    await expect(enable(app)).rejects.toMatchObject(gone);
  });

  it("is not switched on where it is ended at that moment, as by a new password", async () => {
    const owner = await newOwner();
    const app = appOf(await offerSecondFactor(owner.userId));
    const switchedOn = behind<unknown>(owner, "totp_pending_encrypted = NULL", () => switchOn(owner, app));
    await expect(switchedOn).rejects.toMatchObject(wrongCode);
    const { totpSecretEncrypted } = await prisma().user.findUniqueOrThrow({ where: { id: owner.userId } });
    expect(totpSecretEncrypted).toBeNull();
  });

  it("stays where it takes the place of one that is given up at that moment", async () => {
    const owner = await newOwner();
    const { key } = await offerSecondFactor(owner.userId);
    await behind(owner, "totp_pending_encrypted = 'newer'", () => withdrawSecondFactorOffer(owner.userId, key));
    const { totpPendingEncrypted } = await prisma().user.findUniqueOrThrow({ where: { id: owner.userId } });
    expect(totpPendingEncrypted).toBe("newer");
  });

  it("is not offered beside one that is switched on at that moment: it would move that one without its code", async () => {
    const owner = await newOwner();
    const offered = behind(owner, "totp_secret_encrypted = 'on'", () => offerSecondFactor(owner.userId));
    await expect(offered).rejects.toMatchObject(wrongCode);
  });
});

describe("a code of a second factor", () => {
  it.each(["disable", "renew"] as const)("changes nothing once another app took its place: %s", async (act) => {
    const owner = await newOwner();
    const { recoveryCodes } = await switchOn(owner);
    const [code = ""] = recoveryCodes;
    const change = act === "disable" ? disableSecondFactor : renewRecoveryCodes;
    const changed = behind<unknown>(owner, "totp_secret_encrypted = 'moved'", () =>
      change(ownerActor(owner.userId), owner.userId, code),
    );
    await expect(changed).rejects.toMatchObject(wrongCode);
    const { totpSecretEncrypted } = await prisma().user.findUniqueOrThrow({ where: { id: owner.userId } });
    expect(totpSecretEncrypted).toBe("moved");
  });
});

describe("a link for a new password", () => {
  it("does not go to an address that the person gives up at that moment", async () => {
    const owner = await newOwner();
    await requestPasswordReset(owner.email, null);
    expect(await behind(owner, `email = 'moved${++serial}@blue.example'`, sent)).toEqual([]);
    expect(await prisma().userToken.count({ where: { userId: owner.userId } })).toBe(0);
  });
});

describe("a sign-in through another service", () => {
  it("is listed, and once it is taken off opens nothing any more: others' browsers, tickets, the next sign-in", async () => {
    const owner = await newOwner();
    const identity = through(owner);
    const there = await signInWithIdentity(identity, TEST_BROWSER);
    const listed = { provider: "google", count: 1, joinedAt: expect.any(Date), removedAt: null };
    expect(await listIdentities(owner.userId)).toEqual([listed]);
    await removeIdentity(ownerActor(owner.userId), owner.self, "google");
    expect(await listIdentities(owner.userId)).toEqual([{ ...listed, removedAt: expect.any(Date) }]);
    expect(await findPersonSession(there.outcome === "signed-in" ? there.token : "")).toBeNull();
    expect(await findPersonSession(owner.token)).not.toBeNull();
    expect(await signInWithIdentity({ ...identity, email: null }, TEST_BROWSER)).toEqual({ outcome: "taken-off" });
    await expect(removeIdentity(ownerActor(owner.userId), owner.self, "google")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(
      await prisma().auditEntry.findFirst({ where: { subject: owner.userId, action: "person.remove-identity" } }),
    ).toMatchObject({ before: { provider: "google" }, after: { sessionsEnded: 1 } });
  });

  it("stays off once it is taken off, whoever comes by it with that address, until its person allows it again", async () => {
    const owner = await newOwner();
    const [actor, identity] = [ownerActor(owner.userId), through(owner)];
    await signInWithIdentity(identity, TEST_BROWSER);
    await removeIdentity(actor, owner.self, "google");
    await sent();
    for (const again of [identity, { ...identity, email: "moved@else.example" }, through(owner)]) {
      expect(await signInWithIdentity(again, TEST_BROWSER)).toEqual({ outcome: "taken-off" });
    }
    expect(await sent()).toEqual([]);
    await allowIdentity(actor, owner.userId, "google");
    expect(await listIdentities(owner.userId)).toEqual([]);
    await expect(allowIdentity(actor, owner.userId, "google")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await signInWithIdentity(identity, TEST_BROWSER)).toMatchObject({ userId: owner.userId });
    expect(await sent()).toEqual([{ to: owner.email, text: expect.stringContaining("came through Google") }]);
    const [joined] = await listIdentities(owner.userId);
    expect(joined).toMatchObject({ removedAt: null });
    await expect(allowIdentity(actor, owner.userId, "google")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("that was taken off closes no other one", async () => {
    const owner = await newOwner();
    const gitHub = { ...through(owner), provider: "github" } as const;
    for (const identity of [through(owner), gitHub]) await signInWithIdentity(identity, TEST_BROWSER);
    await removeIdentity(ownerActor(owner.userId), owner.self, "google");
    expect(await signInWithIdentity(gitHub, TEST_BROWSER)).toMatchObject({ userId: owner.userId });
  });

  it("that is under way opens nothing once it is taken off", async () => {
    const owner = await newOwner();
    await signInWithIdentity(through(owner), TEST_BROWSER);
    const proven = await prisma().user.findUniqueOrThrow({ where: { id: owner.userId } });
    await removeIdentity(ownerActor(owner.userId), owner.self, "google");
    expect(await openSession(proven, TEST_BROWSER, "google")).toEqual({ outcome: "wrong" });
  });

  it("stays while it is the only way in, also when the last two are taken off at the same time", async () => {
    const identity = through({ email: `alone${++serial}@mail.example` });
    const signedIn = await signInWithIdentity(identity, TEST_BROWSER);
    const userId = signedIn.outcome === "signed-in" ? signedIn.userId : "";
    const self = { userId, sessionId: "none" };
    const only = { code: "VALIDATION_FAILED", message: expect.stringContaining("only way") };
    await expect(removeIdentity(ownerActor(userId), self, "google")).rejects.toMatchObject(only);
    await signInWithIdentity({ ...through({ email: identity.email ?? "" }), provider: "github" }, TEST_BROWSER);
    const both = await Promise.allSettled(
      (["google", "github"] as const).map((provider) => removeIdentity(ownerActor(userId), self, provider)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await listIdentities(userId)).filter(({ removedAt }) => removedAt === null)).toHaveLength(1);
  });

  it("joins nobody whose address is taken away from it at that moment", async () => {
    const owner = await newOwner();
    const joining = () => signInWithIdentity(through(owner), TEST_BROWSER);
    expect(await behind(owner, `email = 'moved${++serial}@blue.example'`, joining)).toEqual({ outcome: "wrong" });
    expect(await listIdentities(owner.userId)).toEqual([]);
  });
});
