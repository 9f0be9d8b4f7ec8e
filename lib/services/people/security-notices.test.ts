import { TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type SmtpServer, startSmtpServer } from "@/e2e/support/smtp-server";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { useTestSettings } from "@/e2e/support/test-settings";
import { closePools, db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { createAccount } from "@/lib/services/accounts/create-account";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { deliverMail } from "@/lib/services/mail/deliver-mail";
import { changeEmail, createEmailLink } from "@/lib/services/people/change-email";
import {
  changePassword,
  createPasswordLink,
  requestPasswordReset,
  resetPassword,
} from "@/lib/services/people/change-password";
import { listIdentities, removeIdentity } from "@/lib/services/people/manage-identities";
import { findPersonSession } from "@/lib/services/people/person-session";
import {
  disableSecondFactor,
  enableSecondFactor,
  moveSecondFactor,
  offerSecondFactor,
  renewRecoveryCodes,
} from "@/lib/services/people/set-up-second-factor";
import { openSession, type SignInBrowser, signIn } from "@/lib/services/people/sign-in";
import { type Identity, signInWithIdentity } from "@/lib/services/people/sign-in-with-identity";

const STEP_MS = 30_000;
const BROWSER: SignInBrowser = { ip: null, userAgent: null, previousToken: null };
const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

let database: TestDatabase;
let smtp: SmtpServer;
let serial = 0;

beforeAll(async () => {
  [database, smtp] = await Promise.all([createTestDatabase(), startSmtpServer()]);
  useTestSettings(database.url, { SMTP_URL: smtp.url, APP_URL: "https://service.example" });
});

afterAll(async () => {
  await closePools();
  await Promise.all([database.drop(), smtp.stop()]);
});

beforeEach(async () => {
  await db().query("TRUNCATE mails, outbox_events, sign_in_attempts");
  smtp.mails.length = 0;
});

const actor = (userId: string) => ({ kind: "owner", userId }) as const;
const wrongCode = { code: "VALIDATION_FAILED", param: "code" };

async function newOwner() {
  const { owner } = await createAccount(OPERATOR, {
    companyName: "Acme",
    email: `owner${++serial}@acme.example`,
    isVerified: true,
    planId: "free",
    credits: 0,
  });
  const session = await sessionOf(owner);
  return { ...owner, ...session, self: { userId: owner.userId, sessionId: session.sessionId } };
}

type Person = Awaited<ReturnType<typeof newOwner>>;

async function sessionOf(person: { email: string; password: string }) {
  const result = await signIn(person, BROWSER);
  if (result.outcome !== "signed-in") throw new Error(result.outcome);
  return { token: result.token, sessionId: (await findPersonSession(result.token))?.sessionId ?? "" };
}

const appOf = ({ key }: { key: string }) => new TOTP({ secret: key.replaceAll(" ", "") });

/** With codes of earlier steps, so that today's are free. */
async function switchOn(owner: Person, app?: TOTP) {
  const before = Date.now() - 10 * STEP_MS;
  const totp = app ?? appOf(await offerSecondFactor(owner.userId));
  const code = totp.generate({ timestamp: before });
  return { totp, ...(await enableSecondFactor(actor(owner.userId), owner.self, code, before)) };
}

/** What went out, by address and subject. */
async function sent() {
  const { rows } = await db().query("DELETE FROM outbox_events WHERE name = 'mail/ready' RETURNING data");
  for (const { data } of rows) await deliverMail(data.mailId);
  return smtp.mails.splice(0).map(({ to, text }) => ({ to: to[0], text }));
}

/** Runs something that waits for a person's row, which another act holds and changes meanwhile. */
async function behind<T>({ userId }: { userId: string }, change: string, run: () => Promise<T>): Promise<T> {
  const holder = await db().connect();
  try {
    await holder.query("BEGIN");
    await holder.query(`UPDATE users SET ${change} WHERE id = $1`, [userId]);
    const running = run();
    running.catch(() => {});
    await expect.poll(async () => (await db().query(WAITING)).rowCount, { interval: 20 }).toBe(1);
    await holder.query("COMMIT");
    return await running;
  } finally {
    holder.release();
  }
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

    await renewRecoveryCodes(actor(owner.userId), owner.userId, totp.generate());
    expect(await sent()).toEqual([{ to: owner.email, text: expect.stringContaining("New recovery codes") }]);
    const next = totp.generate({ timestamp: Date.now() + STEP_MS });
    const moved = await switchOn(owner, appOf(await moveSecondFactor(owner.userId, next)));
    expect(await sent()).toEqual([{ to: owner.email, text: expect.stringContaining("moved to another app") }]);
    await disableSecondFactor(actor(owner.userId), owner.userId, moved.recoveryCodes[0] ?? "");
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
    await signInWithIdentity(identity, BROWSER);
    const [joined, ...none] = await sent();
    expect(none).toEqual([]);
    expect(joined).toMatchObject({ to: owner.email, text: expect.stringContaining("came through Google") });
    await signInWithIdentity(identity, BROWSER);
    await signInWithIdentity({ ...through({ email: "new@else.example" }) }, BROWSER);
    expect(await sent()).toEqual([]);
    await removeIdentity(actor(owner.userId), owner.self, "google");
    expect(await sent()).toEqual([{ to: owner.email, text: expect.stringContaining("taken off") }]);
  });
});

describe("a second factor that was offered and is not on yet", () => {
  const newPassword = "seven green bottles";
  const ends: [string, (owner: Person) => Promise<unknown>][] = [
    [
      "the password is changed",
      (owner) => changePassword(actor(owner.userId), owner.self, { current: owner.password, password: newPassword }),
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
      change(actor(owner.userId), owner.userId, code),
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
    expect(await behind(owner, `email = 'moved${serial}@blue.example'`, sent)).toEqual([]);
    expect(await prisma().userToken.count({ where: { userId: owner.userId } })).toBe(0);
  });
});

describe("a sign-in through another service", () => {
  it("is listed, and once it is taken off opens nothing any more: others' browsers, tickets, the next sign-in", async () => {
    const owner = await newOwner();
    const identity = through(owner);
    const there = await signInWithIdentity(identity, BROWSER);
    expect(await listIdentities(owner.userId)).toEqual([{ provider: "google", count: 1, joinedAt: expect.any(Date) }]);
    await removeIdentity(actor(owner.userId), owner.self, "google");
    expect(await listIdentities(owner.userId)).toEqual([]);
    expect(await findPersonSession(there.outcome === "signed-in" ? there.token : "")).toBeNull();
    expect(await findPersonSession(owner.token)).not.toBeNull();
    expect(await signInWithIdentity({ ...identity, email: null }, BROWSER)).toEqual({ outcome: "no-account" });
    await expect(removeIdentity(actor(owner.userId), owner.self, "google")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(
      await prisma().auditEntry.findFirst({ where: { subject: owner.userId, action: "person.remove-identity" } }),
    ).toMatchObject({ before: { provider: "google" }, after: { sessionsEnded: 1 } });
  });

  it("that is under way opens nothing once it is taken off", async () => {
    const owner = await newOwner();
    await signInWithIdentity(through(owner), BROWSER);
    const proven = await prisma().user.findUniqueOrThrow({ where: { id: owner.userId } });
    await removeIdentity(actor(owner.userId), owner.self, "google");
    expect(await openSession(proven, BROWSER, "google")).toEqual({ outcome: "wrong" });
  });

  it("stays while it is the only way in, also when the last two are taken off at the same time", async () => {
    const identity = through({ email: `alone${++serial}@mail.example` });
    const signedIn = await signInWithIdentity(identity, BROWSER);
    const userId = signedIn.outcome === "signed-in" ? signedIn.userId : "";
    const self = { userId, sessionId: "none" };
    const only = { code: "VALIDATION_FAILED", message: expect.stringContaining("only way") };
    await expect(removeIdentity(actor(userId), self, "google")).rejects.toMatchObject(only);
    await signInWithIdentity({ ...through({ email: identity.email ?? "" }), provider: "github" }, BROWSER);
    const both = await Promise.allSettled(
      (["google", "github"] as const).map((provider) => removeIdentity(actor(userId), self, provider)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await listIdentities(userId)).toHaveLength(1);
  });

  it("joins nobody whose address is taken away from it at that moment", async () => {
    const owner = await newOwner();
    const joining = () => signInWithIdentity(through(owner), BROWSER);
    expect(await behind(owner, `email = 'moved${serial}@blue.example'`, joining)).toEqual({ outcome: "wrong" });
    expect(await listIdentities(owner.userId)).toEqual([]);
  });
});
