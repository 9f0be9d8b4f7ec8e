import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { newTestOwner, ownerActor, sessionOf, type TestOwner } from "@/e2e/support/test-people";
import { whileHeld } from "@/e2e/support/while-held";
import type { Prisma } from "@/lib/db/generated/client";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { disablePeople } from "@/lib/services/accounts/disable-people";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createEmailLink } from "@/lib/services/people/change-email";
import {
  changePassword,
  confirmPassword,
  createPasswordLink,
  isPasswordLinkGood,
  requestPasswordReset,
  resetPassword,
} from "@/lib/services/people/change-password";
import { findPersonSession } from "@/lib/services/people/person-session";
import { type SignInBrowser, signIn } from "@/lib/services/people/sign-in";
import { signUp } from "@/lib/services/people/sign-up";
import { issueUserToken, SECOND_STEPS, takeUserToken } from "@/lib/services/people/user-token";

const NEW_PASSWORD = "seven green bottles";

let serial = 0;

useServiceDatabase({ APP_URL: "https://service.example" });

const browser = (): SignInBrowser => ({ ip: `192.0.2.${++serial % 250}`, userAgent: "Test", previousToken: null });

async function isSomebodyWaiting(): Promise<boolean> {
  const { rowCount } = await db().query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rowCount !== 0;
}

const tokenIn = (link: string) => new URL(link).searchParams.get("token") ?? "";

describe("changePassword", () => {
  it("wants the old one, ends the other sessions and keeps this one", async () => {
    const owner = await newTestOwner();
    const [here, there] = [await sessionOf(owner), await sessionOf(owner)];
    const change = (current: string, password: string) =>
      changePassword(ownerActor(owner.userId), here.self, { current, password });
    await expect(change("not this one, no", NEW_PASSWORD)).rejects.toMatchObject({ param: "current" });
    await expect(change(owner.password, "short")).rejects.toMatchObject({ param: "password" });
    await expect(change(owner.password, owner.email)).rejects.toMatchObject({ param: "password" });
    await change(owner.password, NEW_PASSWORD);
    expect(await findPersonSession(here.token)).not.toBeNull();
    expect(await findPersonSession(there.token)).toBeNull();
    expect((await signIn(owner, browser())).outcome).toBe("wrong");
    expect((await signIn({ ...owner, password: NEW_PASSWORD }, browser())).outcome).toBe("signed-in");
  });

  it("is refused to who knows the old one alone, when it is changed at that moment", async () => {
    const owner = await newTestOwner();
    const { self } = await sessionOf(owner);
    const change = { current: owner.password, password: NEW_PASSWORD };
    const [late] = await whileHeld(
      { statement: "UPDATE users SET password_hash = 'another' WHERE id = $1", id: owner.userId },
      () => changePassword(ownerActor(owner.userId), self, change),
    );
    expect(late).toMatchObject({ status: "rejected", reason: { param: "current" } });
    expect(await prisma().user.findUnique({ where: { id: owner.userId } })).toMatchObject({ passwordHash: "another" });
  });

  it("says that it was changed to who changes it again, as after an answer that was lost, and to nobody who guesses", async () => {
    const owner = await newTestOwner();
    const { self } = await sessionOf(owner);
    const change = (current: string, password: string) =>
      changePassword(ownerActor(owner.userId), self, { current, password });
    await expect(change("not this one, no", owner.password)).rejects.toMatchObject({ param: "current" });
    await change(owner.password, NEW_PASSWORD);
    await expect(change(owner.password, NEW_PASSWORD)).rejects.toMatchObject({
      param: "password",
      message: expect.stringContaining("it was changed"),
    });
    const changes = { subject: owner.userId, action: "person.change-password" };
    expect(await prisma().auditEntry.count({ where: changes })).toBe(1);
  });

  it("is no second guess, which nobody counts, for who changed it longer ago", async () => {
    const [owner, other] = [await newTestOwner(), await newTestOwner()];
    const change = async (who: TestOwner, current: string, password: string) =>
      changePassword(ownerActor(who.userId), (await sessionOf(who)).self, { current, password });
    await change(other, other.password, NEW_PASSWORD);
    // As the change of the other one stands in the log, of an hour ago.
    await db().query(
      `INSERT INTO audit_log SELECT (jsonb_populate_record(a, jsonb_build_object(
         'id', a.id || '_old', 'subject', $2::text, 'created_at', now() - interval '61 minutes'))).*
       FROM audit_log a WHERE subject = $1 AND action = 'person.change-password'`,
      [other.userId, owner.userId],
    );
    await expect(change(owner, "not this one, no", owner.password)).rejects.toMatchObject({ param: "current" });
  });
});

describe("confirmPassword", () => {
  it("makes this session's sign-in fresh, and no other's", async () => {
    const owner = await newTestOwner();
    const [here, there] = [await sessionOf(owner), await sessionOf(owner)];
    await db().query("UPDATE user_sessions SET confirmed_at = now() - interval '1 day'");
    const age = async (token: string) => (await findPersonSession(token))?.confirmedSecondsAgo;
    await confirmPassword(here.self, owner.password);
    expect(await age(here.token)).toBeLessThan(3_600);
    expect(await age(there.token)).toBeGreaterThan(3_600);
  });

  it("limits wrong tries as the sign-in does, however right those there are", async () => {
    const owner = await newTestOwner();
    const { self } = await sessionOf(owner);
    for (let tries = 0; tries < 5; tries++) {
      await expect(confirmPassword(self, "not this one, no")).rejects.toMatchObject({ param: "password" });
    }
    expect((await signIn(owner, browser())).outcome).toBe("signed-in");
    await expect(confirmPassword(self, owner.password)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  it("is not kept from whoever is signed in by those who guess at the sign-in", async () => {
    const owner = await newTestOwner();
    const { self } = await sessionOf(owner);
    const guess = () => signIn({ email: owner.email, password: "not this one, no" }, browser(), async () => false);
    while ((await guess()).outcome !== "locked");
    await confirmPassword(self, owner.password);
    await changePassword(ownerActor(owner.userId), self, { current: owner.password, password: NEW_PASSWORD });
  });
});

describe("links for a new password", () => {
  it("work once, sign every browser out, and open the account with the new password", async () => {
    const owner = await newTestOwner();
    const { token: session } = await sessionOf(owner);
    const { link } = await createPasswordLink(OPERATOR, { email: owner.email });
    expect(link).toMatch(/^https:\/\/service\.example\/panel\/reset-password\?token=/);
    const token = tokenIn(link);
    expect(await isPasswordLinkGood(token)).toBe(true);
    expect(await isPasswordLinkGood(token)).toBe(true);
    await resetPassword({ token, password: NEW_PASSWORD }, null);
    expect(await isPasswordLinkGood(token)).toBe(false);
    await expect(resetPassword({ token, password: "another fine one" }, null)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    // Whoever was left without the answer presses once more: it is done, and not done again.
    await resetPassword({ token, password: NEW_PASSWORD }, null);
    const changes = { subject: owner.userId, action: "person.change-password" };
    expect(await prisma().auditEntry.count({ where: changes })).toBe(1);
    expect(await findPersonSession(session)).toBeNull();
    expect((await signIn({ ...owner, password: NEW_PASSWORD }, browser())).outcome).toBe("signed-in");
  });

  it("work once also when they come twice at the same time", async () => {
    const owner = await newTestOwner();
    const token = tokenIn((await createPasswordLink(OPERATOR, { email: owner.email })).link);
    const take = (tx: Prisma.TransactionClient) => takeUserToken(tx, token, "reset-password");
    const { first, second } = await prisma().$transaction(async (tx) => {
      const first = await take(tx);
      // It has found the token, which is good for all that it can see, and waits to use it up.
      const second = prisma().$transaction(take);
      await expect.poll(isSomebodyWaiting).toBe(true);
      return { first, second };
    });
    expect([first, await second]).toEqual([owner.userId, null]);
  });

  it("set no password while their person is being shut out, who is shut out all the same", async () => {
    const owner = await newTestOwner();
    await sessionOf(owner);
    const token = tokenIn((await createPasswordLink(OPERATOR, { email: owner.email })).link);
    const order = { emails: [owner.email], reason: "Found out", now: new Date() };
    // Held between what changes the person and what ends their links.
    const [shutOut, reset] = await whileHeld(
      { statement: "SELECT FROM user_sessions WHERE user_id = $1 FOR UPDATE", id: owner.userId },
      () => prisma().$transaction((tx) => disablePeople(tx, OPERATOR, order)),
      () => resetPassword({ token, password: NEW_PASSWORD }, null),
    );
    expect(shutOut).toEqual({ status: "fulfilled", value: [owner.email] });
    expect(reset).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
  });

  it("are no other tokens: neither a link that confirms an address nor half a sign-in sets a password", async () => {
    const owner = await newTestOwner();
    for (const purpose of ["confirm-email", "change-email", ...SECOND_STEPS] as const) {
      const token = await prisma().$transaction((tx) => issueUserToken(tx, owner.userId, purpose, owner.email));
      expect(await isPasswordLinkGood(token)).toBe(false);
      await expect(resetPassword({ token, password: NEW_PASSWORD }, null)).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await prisma().$transaction((tx) => takeUserToken(tx, token, purpose))).toBe(owner.userId);
    }
  });

  it("are made for nobody who was shut out: they would lead nowhere", async () => {
    const { email, userId } = await newTestOwner();
    await prisma().user.update({ where: { id: userId }, data: { disabledAt: new Date() } });
    for (const removeSecondFactor of [false, true]) {
      await expect(createPasswordLink(OPERATOR, { email, removeSecondFactor })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        message: expect.stringContaining("shut out"),
      });
    }
    await expect(createEmailLink(OPERATOR, { email, newEmail: `new-${email}` })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("shut out"),
    });
    expect(await prisma().userToken.count({ where: { userId } })).toBe(0);
  });

  it("are not used up by a password that will not do", async () => {
    const owner = await newTestOwner();
    const token = tokenIn((await createPasswordLink(OPERATOR, { email: owner.email })).link);
    await expect(resetPassword({ token, password: "short" }, null)).rejects.toMatchObject({ param: "password" });
    expect(await isPasswordLinkGood(token)).toBe(true);
  });

  it("end with the password that was forgotten when they were made: a new one stops whoever has one", async () => {
    const owner = await newTestOwner();
    const token = tokenIn((await createPasswordLink(OPERATOR, { email: owner.email })).link);
    const { self } = await sessionOf(owner);
    await changePassword(ownerActor(owner.userId), self, { current: owner.password, password: NEW_PASSWORD });
    expect(await isPasswordLinkGood(token)).toBe(false);
    await expect(resetPassword({ token, password: "another fine one" }, null)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("end after an hour, and when a newer one is made", async () => {
    const owner = await newTestOwner();
    const link = async () => tokenIn((await createPasswordLink(OPERATOR, { email: owner.email })).link);
    const [older, newer] = [await link(), await link()];
    expect([await isPasswordLinkGood(older), await isPasswordLinkGood(newer)]).toEqual([false, true]);
    await db().query("UPDATE user_tokens SET expires_at = now() - interval '1 second'");
    expect(await isPasswordLinkGood(newer)).toBe(false);
  });

  it("are kept as hashes alone", async () => {
    const owner = await newTestOwner();
    const token = tokenIn((await createPasswordLink(OPERATOR, { email: owner.email })).link);
    const { rows } = await db().query("SELECT * FROM user_tokens");
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it("are mailed to one person seldom, whoever asks and from wherever", async () => {
    const email = `bothered${++serial}@acme.example`;
    for (let times = 0; times < 3; times++) await requestPasswordReset(email, browser().ip);
    await expect(requestPasswordReset(` ${email.toUpperCase()}`, browser().ip)).rejects.toMatchObject({
      code: "RATE_LIMITED",
    });
    await requestPasswordReset(`other${++serial}@acme.example`, browser().ip);
  });

  it("are made for nobody who is not there", async () => {
    await expect(createPasswordLink(OPERATOR, { email: "nobody@acme.example" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("signUp without a mail server", () => {
  it("opens an account with the free plan, 100 credits and a project, and lets its owner in at once", async () => {
    const person = { email: `new${++serial}@blue.example`, password: NEW_PASSWORD };
    expect(await signUp({ companyName: " Blue Ltd ", ...person }, "192.0.2.9")).toEqual({ needsConfirmation: false });
    const result = await signIn(person, browser());
    const { rows } = await db().query(
      `SELECT a.company_name, a.plan_id, a.credit_balance, a.verification_status, m.role, count(p.id)::int AS projects
         FROM members m JOIN accounts a ON a.id = m.account_id JOIN projects p ON p.account_id = a.id
        WHERE m.user_id = $1 GROUP BY a.id, m.role`,
      [result.outcome === "signed-in" ? result.userId : ""],
    );
    expect(rows).toEqual([
      {
        company_name: "Blue Ltd",
        plan_id: "free",
        credit_balance: 100,
        verification_status: "unsubmitted",
        role: "owner",
        projects: 1,
      },
    ]);
  });

  it.each<[string, object, string]>([
    ["a taken address", { email: "taken@blue.example" }, "email"],
    ["a malformed address", { email: "blue" }, "email"],
    ["an empty company", { companyName: " " }, "company"],
    ["a short password", { password: "short" }, "password"],
  ])("refuses %s and leaves nothing behind", async (_what, changes, param) => {
    const taken = { companyName: "Taken", email: "taken@blue.example", password: NEW_PASSWORD };
    await signUp(taken, null).catch(() => {});
    const input = { companyName: "Half", email: `half${++serial}@blue.example`, password: NEW_PASSWORD, ...changes };
    await expect(signUp(input, null)).rejects.toMatchObject({ code: "VALIDATION_FAILED", param });
    expect((await db().query("SELECT 1 FROM accounts WHERE company_name = 'Half'")).rows).toEqual([]);
  });

  it("limits how many accounts one address opens", async () => {
    const open = () =>
      signUp({ companyName: "Many", email: `many${++serial}@blue.example`, password: NEW_PASSWORD }, "198.51.100.1");
    for (let round = 0; round < 10; round++) await open();
    await expect(open()).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect((await db().query("SELECT 1 FROM accounts WHERE company_name = 'Many'")).rows).toHaveLength(10);
  });
});
