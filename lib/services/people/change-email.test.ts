import { describe, expect, it } from "vitest";
import { useMailbox } from "@/e2e/support/mailbox";
import {
  appOf,
  mailsSent,
  newTestOwner,
  ownerActor,
  sessionOf,
  TEST_BROWSER,
  type TestOwner,
} from "@/e2e/support/test-people";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { changeEmail, createEmailLink, requestEmailChange, wantsPassword } from "@/lib/services/people/change-email";
import {
  changePassword,
  createPasswordLink,
  isPasswordLinkGood,
  resetPassword,
} from "@/lib/services/people/change-password";
import { offerSecondFactor } from "@/lib/services/people/offer-second-factor";
import { findPersonSession } from "@/lib/services/people/person-session";
import { enableSecondFactor } from "@/lib/services/people/set-up-second-factor";
import { signIn } from "@/lib/services/people/sign-in";
import { signInWithIdentity } from "@/lib/services/people/sign-in-with-identity";

const smtp = useMailbox();
let serial = 0;

const GONE = { code: "NOT_FOUND", message: expect.stringContaining("does not work any more") };
const newAddress = () => `new${++serial}@blue.example`;
const ask = (person: TestOwner, email: string, current = person.password) =>
  requestEmailChange(ownerActor(person.userId), person.userId, { current, email });

const sent = () => mailsSent(smtp);

async function linkFor(person: TestOwner, email: string): Promise<string> {
  await ask(person, email);
  return (await sent()).find(({ to }) => to === email)?.token ?? "";
}

const addressOf = async ({ userId }: TestOwner) =>
  (await prisma().user.findUniqueOrThrow({ where: { id: userId } })).email;

describe("changing one's e-mail address", () => {
  it("sends a link to the new address and a notice without one to the old, and changes nothing yet", async () => {
    const owner = await newTestOwner();
    const email = newAddress();
    await ask(owner, ` ${email.toUpperCase()} `);
    const mails = await sent();
    expect(mails.map(({ to, token }) => [to, token !== null]).sort()).toEqual(
      [
        [email, true],
        [owner.email, false],
      ].sort(),
    );
    expect(mails.find(({ to }) => to === owner.email)?.text).not.toContain(email);
    expect(await addressOf(owner)).toBe(owner.email);
  });

  it("takes the link once: the new address signs in, the old one does not, other browsers are signed out", async () => {
    const owner = await newTestOwner();
    const email = newAddress();
    const [here, there] = [await sessionOf(owner), await sessionOf(owner)];
    const token = await linkFor(owner, email);
    const { link } = await createPasswordLink(OPERATOR, { email: owner.email });
    smtp.mails.length = 0;
    await changeEmail({ token }, "203.0.113.7", { userId: owner.userId, sessionId: here.sessionId });
    expect(await addressOf(owner)).toBe(email);
    expect(await findPersonSession(here.token)).not.toBeNull();
    expect(await findPersonSession(there.token)).toBeNull();
    expect(await isPasswordLinkGood(new URL(link).searchParams.get("token") ?? "")).toBe(false);
    expect((await sent()).map(({ to }) => to)).toEqual([owner.email]);
    await sessionOf({ email, password: owner.password });
    const old = await signIn(owner, TEST_BROWSER);
    expect(old.outcome).toBe("wrong");
    await expect(changeEmail({ token }, null, null)).rejects.toMatchObject(GONE);
    // Whoever was left without the answer presses once more: it is done, and not done again.
    await changeEmail({ token }, null, { userId: owner.userId, sessionId: here.sessionId });
    await changeEmail({ token, password: owner.password }, null, null);
    const lines = await prisma().auditEntry.findMany({
      where: { subject: owner.userId, action: { contains: "email-change" } },
    });
    expect(lines).toHaveLength(1);
    expect(
      await prisma().auditEntry.findFirst({ where: { subject: owner.userId, action: "person.change-email" } }),
    ).toMatchObject({ before: { email: owner.email }, after: { email, sessionsEnded: 1 }, ip: "203.0.113.7" });
  });

  it("ends every session when the link is opened where somebody else is signed in, or nobody", async () => {
    const [owner, other] = [await newTestOwner(), await newTestOwner()];
    const [mine, theirs] = [await sessionOf(owner), await sessionOf(other)];
    const token = await linkFor(owner, newAddress());
    await changeEmail({ token, password: owner.password }, null, { userId: other.userId, sessionId: theirs.sessionId });
    expect(await findPersonSession(mine.token)).toBeNull();
    expect(await findPersonSession(theirs.token)).not.toBeNull();
  });

  it("ends a second factor that was offered and is not on yet: it may be another's who was in the session", async () => {
    const owner = await newTestOwner();
    const { self } = await sessionOf(owner);
    const code = appOf(await offerSecondFactor(owner.userId)).generate();
    await changeEmail({ token: await linkFor(owner, newAddress()) }, null, self);
    await expect(enableSecondFactor(ownerActor(owner.userId), self, code)).rejects.toMatchObject({ param: "code" });
  });

  it("gives an address to nobody who is not there to take it: its owner, led to the link, would share that account", async () => {
    const [stranger, other] = [await newTestOwner(), await newTestOwner()];
    const email = newAddress();
    const token = await linkFor(stranger, email);
    const theirs = await sessionOf(other);
    const keep = { userId: other.userId, sessionId: theirs.sessionId };
    for (const signedIn of [null, keep]) {
      for (const password of [undefined, other.password]) {
        await expect(changeEmail({ token, password }, null, signedIn)).rejects.toMatchObject({ param: "password" });
      }
      expect(await wantsPassword(token, signedIn?.userId ?? null)).toBe(true);
    }
    expect(await wantsPassword(token, stranger.userId)).toBe(false);
    expect(await wantsPassword("x".repeat(43), null)).toBeNull();
    const through = await signInWithIdentity({ provider: "google", subject: email, email, name: null }, TEST_BROWSER);
    expect(through).toMatchObject({ outcome: "signed-in" });
    expect(through).not.toMatchObject({ userId: stranger.userId });
  });

  it("works for an hour, and only the newest link", async () => {
    const owner = await newTestOwner();
    const first = await linkFor(owner, newAddress());
    const second = await linkFor(owner, newAddress());
    await expect(changeEmail({ token: first }, null, null)).rejects.toMatchObject(GONE);
    const { rows } = await db().query(
      "SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM user_tokens WHERE user_id = $1",
      [owner.userId],
    );
    expect(Math.abs(rows[0].seconds - 3_600)).toBeLessThan(60);
    await db().query("UPDATE user_tokens SET expires_at = now() - interval '1 second' WHERE user_id = $1", [
      owner.userId,
    ]);
    await expect(changeEmail({ token: second }, null, null)).rejects.toMatchObject(GONE);
    await expect(changeEmail({ token: "x".repeat(43) }, null, null)).rejects.toMatchObject(GONE);
    expect(await addressOf(owner)).toBe(owner.email);
  });

  it("answers the same for an address that is taken, tells its owner alone, and gives it to nobody", async () => {
    const [owner, other] = [await newTestOwner(), await newTestOwner()];
    expect(await ask(owner, other.email)).toEqual(await ask(owner, newAddress()));
    smtp.mails.length = 0;
    await ask(owner, other.email);
    const mails = await sent();
    expect(mails.find(({ to }) => to === other.email)).toMatchObject({ token: null });
    expect(mails.filter(({ to }) => to === owner.email).length).toBeGreaterThan(0);
    // Taken between the mail and the link.
    const email = newAddress();
    const token = await linkFor(owner, email);
    await prisma().user.update({ where: { id: other.userId }, data: { email } });
    await expect(changeEmail({ token, password: owner.password }, null, null)).rejects.toMatchObject(GONE);
    expect(await addressOf(owner)).toBe(owner.email);
  });

  it("wants the password, another address than the present one, and has its limits", async () => {
    const owner = await newTestOwner();
    await expect(ask(owner, newAddress(), "not this one, no")).rejects.toMatchObject({ param: "current" });
    await expect(ask(owner, owner.email.toUpperCase())).rejects.toMatchObject({ param: "email" });
    await expect(ask(owner, "nobody")).rejects.toMatchObject({ param: "email" });
    expect(await sent()).toEqual([]);
    const email = newAddress();
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => ask(owner, email)));
    expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
    expect((await sent()).filter(({ to }) => to === email).length).toBeLessThanOrEqual(4);
  });

  it("ends with the password that it was asked with: a new one, set in the panel or by a link, stops who knew the old", async () => {
    const owner = await newTestOwner();
    const { userId } = owner;
    const { sessionId } = await sessionOf(owner);
    const asked = await linkFor(owner, newAddress());
    await changePassword(
      ownerActor(userId),
      { userId, sessionId },
      { current: owner.password, password: "eight red kettles" },
    );
    await expect(changeEmail({ token: asked }, null, null)).rejects.toMatchObject(GONE);
    const askedAgain = await linkFor({ ...owner, password: "eight red kettles" }, newAddress());
    const { link } = await createPasswordLink(OPERATOR, { email: owner.email });
    const token = new URL(link).searchParams.get("token") ?? "";
    await resetPassword({ token, password: "nine blue lanterns" }, null);
    await expect(changeEmail({ token: askedAgain }, null, null)).rejects.toMatchObject(GONE);
    expect(await addressOf(owner)).toBe(owner.email);
  });

  it("is not asked for with a password that is being changed", async () => {
    const owner = await newTestOwner();
    const [asked] = await whileHeld(
      { statement: "UPDATE users SET password_hash = 'another' WHERE id = $1", id: owner.userId },
      () => ask(owner, newAddress()),
    );
    expect(asked).toMatchObject({ status: "rejected", reason: { param: "current" } });
    expect(await prisma().userToken.count({ where: { userId: owner.userId } })).toBe(0);
  });

  it("goes by a link of the operator's to who has no password, once they came through their service; it says so before", async () => {
    const owner = await newTestOwner();
    const { token: session, sessionId } = await sessionOf(owner);
    const newEmail = newAddress();
    await prisma().user.update({ where: { id: owner.userId }, data: { passwordHash: null } });
    const { link } = await createEmailLink(OPERATOR, { email: owner.email, newEmail });
    const token = new URL(link).searchParams.get("token") ?? "";
    await expect(changeEmail({ token, password: owner.password }, null, null)).rejects.toMatchObject({
      param: "password",
      message: expect.stringContaining("sign in"),
    });
    await changeEmail({ token }, null, { userId: owner.userId, sessionId });
    expect(await addressOf(owner)).toBe(newEmail);
    expect(await findPersonSession(session)).not.toBeNull();
  });

  it("goes by a link of the operator's, too", async () => {
    const [owner, other] = [await newTestOwner(), await newTestOwner()];
    const newEmail = newAddress();
    await expect(createEmailLink(OPERATOR, { email: owner.email, newEmail: other.email })).rejects.toMatchObject({
      param: "email",
    });
    await expect(createEmailLink(OPERATOR, { email: "none@acme.example", newEmail })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await prisma().user.update({ where: { id: other.userId }, data: { disabledAt: new Date() } });
    await expect(createEmailLink(OPERATOR, { email: other.email, newEmail })).rejects.toThrow("shut out");
    const { link } = await createEmailLink(OPERATOR, { email: owner.email, newEmail });
    expect(link).toMatch(/^https:\/\/service\.example\/panel\/change-email\?token=[\w-]{43}$/);
    const token = new URL(link).searchParams.get("token") ?? "";
    await changeEmail({ token, password: owner.password }, null, null);
    expect(await addressOf(owner)).toBe(newEmail);
  });
});
