import { verify } from "@node-rs/argon2";
import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { createAccount } from "@/lib/services/accounts/create-account";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { findInvitation, hasJoinedBy } from "@/lib/services/members/accept-invitation";
import { inviteMember } from "@/lib/services/members/invitations";
import { listMemberships } from "@/lib/services/people/list-memberships";
import {
  closePersonSession,
  listPersonSessions,
  revokeOtherSessions,
  revokePersonSession,
} from "@/lib/services/people/manage-person-sessions";
import { findPersonSession } from "@/lib/services/people/person-session";
import { type SignInBrowser, signIn } from "@/lib/services/people/sign-in";
import { signInWithIdentity, signInWithTicket } from "@/lib/services/people/sign-in-with-identity";
import { issueUserToken } from "@/lib/services/people/user-token";

let serial = 0;

useServiceDatabase();

/** Each test has addresses of its own: locks are by address. */
function browser(previousToken: string | null = null): SignInBrowser {
  return { ip: `192.0.2.${++serial % 250}`, userAgent: "Test", previousToken };
}

async function newOwner() {
  const { owner, accountId } = await createAccount(OPERATOR, {
    companyName: "Acme",
    email: `owner${++serial}@acme.example`,
    isVerified: true,
    planId: "free",
    credits: 0,
  });
  return { ...owner, accountId };
}

async function tokenOf(person: { email: string; password: string }, from = browser()): Promise<string> {
  const result = await signIn(person, from);
  if (result.outcome !== "signed-in") throw new Error(result.outcome);
  return result.token;
}

const actor = (userId: string) => ({ kind: "owner", userId }) as const;

describe("signIn", () => {
  it("opens a session, whatever the case of the address, and keeps only its hash", async () => {
    const owner = await newOwner();
    const token = await tokenOf({ email: ` ${owner.email.toUpperCase()} `, password: owner.password });
    expect(await findPersonSession(token)).toMatchObject({ user: { id: owner.userId, email: owner.email } });
    const { rows } = await db().query("SELECT * FROM user_sessions WHERE user_id = $1", [owner.userId]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    // What the team's page says of them.
    const { lastSignInAt } = await prisma().user.findUniqueOrThrow({ where: { id: owner.userId } });
    expect(lastSignInAt).toEqual(rows[0].created_at);
  });

  it("takes either spelling of a foreign domain: browsers differ in which one they send", async () => {
    const spellings = ["ann@bücher.example", "ann@xn--bcher-kva.example"];
    const account = { companyName: "Acme", isVerified: true, planId: "free", credits: 0 } as const;
    const { owner } = await createAccount(OPERATOR, { ...account, email: spellings[0] ?? "" });
    expect(owner.email).toBe(spellings[1]);
    // As those were kept who came before there was one spelling.
    for (const kept of [owner.email, "ann@bücher.example"]) {
      await db().query("UPDATE users SET email = $2 WHERE id = $1", [owner.userId, kept]);
      for (const email of spellings) {
        expect(await signIn({ email, password: owner.password }, browser())).toMatchObject({ userId: owner.userId });
        await expect(createAccount(OPERATOR, { ...account, email })).rejects.toMatchObject({ param: "email" });
        expect(
          await signInWithIdentity({ provider: "google", subject: `${kept}${email}`, email, name: null }, browser()),
        ).toMatchObject({ userId: owner.userId });
      }
    }
  });

  it("locks both spellings of a foreign domain at once", async () => {
    const guess = (email: string) => signIn({ email, password: "not this one, no" }, browser());
    for (const domain of ["b\u00fcro.example", "xn--bro-hoa.example", "b\u00fcro.example"]) {
      await guess(`eve@${domain}`);
      await guess(`eve@${domain}`);
    }
    expect(await guess("eve@xn--bro-hoa.example")).toMatchObject({ outcome: "locked" });
  });

  it("does the same work for an address that nobody has as for a wrong password", async () => {
    const owner = await newOwner();
    const work: string[] = [];
    const check = async (hash: string, password: string) => {
      work.push(hash.split("$").slice(0, 4).join("$"));
      return verify(hash, password);
    };
    const wrong = { password: "not this one, no" };
    const known = await signIn({ ...wrong, email: owner.email }, browser(), check);
    const unknown = await signIn({ ...wrong, email: "nobody@acme.example" }, browser(), check);
    expect(unknown).toEqual(known);
    expect(work).toHaveLength(2);
    expect(work[1]).toBe(work[0]);
  });

  it("locks an account after five wrong tries, for longer each time, and then takes not even the right password", async () => {
    const owner = await newOwner();
    const wrong = { email: owner.email, password: "not this one, no" };
    for (let tries = 0; tries < 5; tries++) expect((await signIn(wrong, browser())).outcome).toBe("wrong");
    const locked = await signIn(owner, browser());
    expect(locked).toMatchObject({ outcome: "locked" });
    const seconds = [locked.outcome === "locked" ? locked.seconds : 0];
    for (let round = 0; round < 2; round++) {
      await db().query("UPDATE sign_in_attempts SET locked_until = now() - interval '1 second'");
      expect((await signIn(wrong, browser())).outcome).toBe("wrong");
      const next = await signIn(owner, browser());
      seconds.push(next.outcome === "locked" ? next.seconds : 0);
    }
    expect(seconds).toEqual([15, 30, 60]);
    // However often: somebody else who guesses must not keep the person out for a day.
    await db().query("UPDATE sign_in_attempts SET locked_until = now() - interval '1 second', failures = 40");
    expect((await signIn(wrong, browser())).outcome).toBe("wrong");
    expect(await signIn(owner, browser())).toEqual({ outcome: "locked", seconds: 900 });
  });

  it("locks addresses that nobody has in the same way", async () => {
    const wrong = { email: `ghost${++serial}@acme.example`, password: "not this one, no" };
    const outcomes = [];
    for (let tries = 0; tries < 6; tries++) outcomes.push((await signIn(wrong, browser())).outcome);
    expect(outcomes).toEqual(["wrong", "wrong", "wrong", "wrong", "wrong", "locked"]);
  });

  it("lets no more guesses through when they come at the same time", async () => {
    const owner = await newOwner();
    const wrong = { email: owner.email, password: "not this one, no" };
    const results = await Promise.all(Array.from({ length: 20 }, () => signIn(wrong, browser())));
    expect(results.filter(({ outcome }) => outcome === "wrong")).toHaveLength(5);
  });

  it("limits one address that tries many accounts", async () => {
    const from = { ip: "203.0.113.7", userAgent: null, previousToken: null };
    const check = async () => false;
    for (let tries = 0; tries < 30; tries++) {
      await signIn({ email: `x${tries}@many.example`, password: "guess" }, from, check);
    }
    expect((await signIn({ email: "one-more@many.example", password: "guess" }, from, check)).outcome).toBe("locked");
    expect((await signIn({ email: "other@many.example", password: "guess" }, browser(), check)).outcome).toBe("wrong");
  });

  it("limits one address when its tries come at the same time, too", async () => {
    const from = { ip: "203.0.113.8", userAgent: null, previousToken: null };
    const tries = Array.from({ length: 60 }, (_, index) =>
      signIn({ email: `y${index}@many.example`, password: "guess" }, from, async () => false),
    );
    const outcomes = (await Promise.all(tries)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === "wrong")).toHaveLength(30);
    expect(outcomes.filter((outcome) => outcome === "locked")).toHaveLength(30);
  });

  it("takes an IPv6 network for one address: whoever has one address of it has all", async () => {
    const from = (end: string) => ({ ip: `2001:db8:1:2:${end}`, userAgent: null, previousToken: null });
    const wrong = (index: number) => ({ email: `z${index}@many.example`, password: "guess" });
    const check = async () => false;
    for (let tries = 0; tries < 30; tries++) await signIn(wrong(tries), from(`${tries}::1`), check);
    expect((await signIn(wrong(30), from(":ffff"), check)).outcome).toBe("locked");
    const beside = { ip: "2001:db8:1:3::1", userAgent: null, previousToken: null };
    expect((await signIn(wrong(31), beside, check)).outcome).toBe("wrong");
  });

  it("counts no right password, however many people share an address", async () => {
    const owner = await newOwner();
    const from = { ip: "203.0.113.9", userAgent: null, previousToken: null };
    const check = async () => true;
    for (let times = 0; times < 35; times++) {
      expect((await signIn(owner, from, check)).outcome).toBe("signed-in");
    }
  });

  it("locks a shared address for no right password, and forgets its wrong ones after an hour of right ones alone", async () => {
    const owner = await newOwner();
    const from = { ip: "203.0.113.10", userAgent: null, previousToken: null };
    const wrong = (index: number) => ({ email: `w${index}@many.example`, password: "guess" });
    const pass = (time: string) =>
      db().query(`UPDATE sign_in_attempts SET window_start = window_start - interval '${time}',
                    locked_until = locked_until - interval '${time}'`);
    for (let tries = 0; tries < 30; tries++) await signIn(wrong(tries), from, async () => false);
    expect((await signIn(owner, from)).outcome).toBe("locked");
    for (let times = 0; times < 3; times++) {
      await pass("25 minutes");
      // The lock that the first one would have set, had it been wrong, keeps the second one out as little.
      for (const _again of [1, 2]) expect((await signIn(owner, from)).outcome).toBe("signed-in");
    }
    expect((await signIn(wrong(30), from, async () => false)).outcome).toBe("wrong");
    expect((await signIn(owner, from)).outcome).toBe("signed-in");
  });

  it("forgets wrong tries when the right password comes", async () => {
    const owner = await newOwner();
    const wrong = { email: owner.email, password: "not this one, no" };
    for (let round = 0; round < 2; round++) {
      for (let tries = 0; tries < 4; tries++) await signIn(wrong, browser());
      expect((await signIn(owner, browser())).outcome).toBe("signed-in");
    }
  });

  it("lets a person in where they signed in before, however long somebody guesses at their address elsewhere", async () => {
    const owner = await newOwner();
    const token = await tokenOf(owner);
    const guess = (from = browser()) => signIn({ email: owner.email, password: "guess" }, from, async () => false);
    const lock = async () => {
      while ((await guess()).outcome !== "locked");
    };
    await lock();
    // The session may have ended by itself since.
    await db().query("UPDATE user_sessions SET expires_at = now() - interval '1 day' WHERE user_id = $1", [
      owner.userId,
    ]);
    expect((await signIn(owner, browser())).outcome).toBe("locked");
    const again = await tokenOf(owner, browser(token));
    await lock();
    const wrong = [];
    for (let tries = 0; tries < 6; tries++) wrong.push((await guess(browser(again))).outcome);
    expect(wrong).toEqual([...Array(5).fill("wrong"), "locked"]);
  });

  it("takes no browser for a person's own by another's session, nor by one that was signed out", async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()];
    const [token, foreign] = [await tokenOf(owner), await tokenOf(stranger)];
    const guess = () => signIn({ email: owner.email, password: "guess" }, browser(), async () => false);
    while ((await guess()).outcome !== "locked");
    expect((await signIn(owner, browser(foreign))).outcome).toBe("locked");
    await revokeOtherSessions(actor(owner.userId), owner.userId, null);
    expect((await signIn(owner, browser(token))).outcome).toBe("locked");
  });

  it("keeps to each person's own tries and locks, whoever else signs in or is locked", async () => {
    const [owner, other, third] = [await newOwner(), await newOwner(), await newOwner()];
    const guess = ({ email }: { email: string }) => signIn({ email, password: "guess" }, browser(), async () => false);
    for (let tries = 0; tries < 5; tries++) await guess(third);
    await db().query(
      "UPDATE sign_in_attempts SET locked_until = now() + interval '800 seconds' WHERE locked_until > now()",
    );
    for (let tries = 0; tries < 4; tries++) await guess(other);
    expect((await signIn(owner, browser())).outcome).toBe("signed-in");
    expect((await guess(other)).outcome).toBe("wrong");
    expect(await signIn(other, browser())).toEqual({ outcome: "locked", seconds: 15 });
    expect(await signIn(third, browser())).toMatchObject({ outcome: "locked", seconds: expect.closeTo(800, -1) });
  });

  it("keeps no address in the table of tries", async () => {
    await signIn({ email: "secret-person@acme.example", password: "guess" }, browser());
    const { rows } = await db().query("SELECT subject FROM sign_in_attempts");
    expect(JSON.stringify(rows)).not.toContain("secret-person");
  });

  it("ends the session that the browser had: what was planted there is worth nothing", async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()];
    const planted = await tokenOf(stranger);
    const token = await tokenOf(owner, browser(planted));
    expect(token).not.toBe(planted);
    expect(await findPersonSession(planted)).toBeNull();
    expect(await findPersonSession(token)).not.toBeNull();
  });

  it("takes no disabled person, and says no more than that it is wrong", async () => {
    const owner = await newOwner();
    const token = await tokenOf(owner);
    await db().query("UPDATE users SET disabled_at = now() WHERE id = $1", [owner.userId]);
    expect(await signIn(owner, browser())).toEqual({ outcome: "wrong" });
    expect(await findPersonSession(token)).toBeNull();
  });

  it.each([
    ["the password", "password_hash = 'another'"],
    ["the second factor", "totp_secret_encrypted = 'another'"],
    ["the address", "email = 'moved-' || email"],
    ["that they may sign in", "disabled_at = now()"],
  ])("opens no session when %s is changed meanwhile: it would outlive what ends all of them", async (_what, change) => {
    const owner = await newOwner();
    const check = async (hash: string, password: string) => {
      const isRight = await verify(hash, password);
      await db().query(`UPDATE users SET ${change} WHERE id = $1`, [owner.userId]);
      return isRight;
    };
    expect(await signIn(owner, browser(), check)).toEqual({ outcome: "wrong" });
    expect(await listPersonSessions(owner.userId)).toEqual([]);
  });

  it("writes the sign-in into the audit log", async () => {
    const owner = await newOwner();
    const from = browser();
    await tokenOf(owner, from);
    const { rows } = await db().query("SELECT action, actor_kind, ip FROM audit_log WHERE subject = $1", [
      owner.userId,
    ]);
    expect(rows).toEqual([{ action: "person.sign-in", actor_kind: "owner", ip: from.ip }]);
  });
});

describe("sessions", () => {
  it("end by themselves: after their life, and when they lie idle; those of staff sooner", async () => {
    const [owner, staff] = [await newOwner(), await createStaff(OPERATOR, { email: `staff${++serial}@acme.example` })];
    const tokens = [await tokenOf(owner), await tokenOf(staff)];
    const alive = async () => (await Promise.all(tokens.map(findPersonSession))).map((session) => session !== null);
    await db().query("UPDATE user_sessions SET last_seen_at = now() - interval '2 hours'");
    expect(await alive()).toEqual([true, false]);
    await db().query("UPDATE user_sessions SET last_seen_at = now() - interval '8 days'");
    expect(await alive()).toEqual([false, false]);
    await db().query("UPDATE user_sessions SET last_seen_at = now(), expires_at = now() - interval '1 second'");
    expect(await alive()).toEqual([false, false]);
  });

  it("keep when they were last seen, at most once a minute", async () => {
    const owner = await newOwner();
    const token = await tokenOf(owner);
    const seen = async () => (await listPersonSessions(owner.userId))[0]?.lastSeenAt.getTime();
    const atFirst = await seen();
    await findPersonSession(token);
    expect(await seen()).toBe(atFirst);
    await db().query("UPDATE user_sessions SET last_seen_at = last_seen_at - interval '2 minutes'");
    await findPersonSession(token);
    expect(await seen()).toBeGreaterThanOrEqual(atFirst ?? 0);
  });

  it("are revoked one by one, never another person's", async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()];
    const [token, kept] = [await tokenOf(owner), await tokenOf(owner)];
    const id = (await findPersonSession(token))?.sessionId ?? "";
    await expect(revokePersonSession(actor(stranger.userId), stranger.userId, id)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await revokePersonSession(actor(owner.userId), owner.userId, id);
    expect(await findPersonSession(token)).toBeNull();
    expect(await findPersonSession(kept)).not.toBeNull();
    expect(await listPersonSessions(owner.userId)).toHaveLength(1);
    // From a list that is behind.
    await expect(revokePersonSession(actor(owner.userId), owner.userId, id)).rejects.toMatchObject({
      message: "That browser is signed out already. Load the page again.",
    });
  });

  it("are revoked everywhere but here", async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()];
    const [here, there, foreign] = [await tokenOf(owner), await tokenOf(owner), await tokenOf(stranger)];
    const sessionId = (await findPersonSession(here))?.sessionId ?? "";
    expect(await revokeOtherSessions(actor(owner.userId), owner.userId, sessionId)).toBe(1);
    const alive = await Promise.all([here, there, foreign].map(findPersonSession));
    expect(alive.map((session) => session !== null)).toEqual([true, false, true]);
  });

  it("are neither shown nor counted once they ended by themselves", async () => {
    const people = [await newOwner(), await createStaff(OPERATOR, { email: `staff${++serial}@acme.example` })];
    for (const [index, person] of people.entries()) {
      const [here, idle, old] = [await tokenOf(person), await tokenOf(person), await tokenOf(person)];
      const [open, lying, expired] = await Promise.all([here, idle, old].map(findPersonSession));
      const idleFor = index === 0 ? "8 days" : "2 hours";
      await db().query(`UPDATE user_sessions SET last_seen_at = now() - interval '${idleFor}' WHERE id = $1`, [
        lying?.sessionId,
      ]);
      await db().query("UPDATE user_sessions SET expires_at = now() - interval '1 second' WHERE id = $1", [
        expired?.sessionId,
      ]);
      expect((await listPersonSessions(person.userId)).map(({ id }) => id)).toEqual([open?.sessionId]);
      expect(await revokeOtherSessions(actor(person.userId), person.userId, open?.sessionId ?? "")).toBe(0);
    }
  });

  it("end when signing out", async () => {
    const token = await tokenOf(await newOwner());
    await closePersonSession(token);
    expect(await findPersonSession(token)).toBeNull();
  });

  it.each(["", "x", "a".repeat(43), "'; DROP TABLE users; --"])("are not found by %j", async (token) => {
    expect(await findPersonSession(token)).toBeNull();
  });
});

describe("sign-in through another service", () => {
  const identity = (changes: object) => ({
    provider: "google" as const,
    subject: `g-${++serial}`,
    email: `person${serial}@mail.example`,
    name: "Ann",
    ...changes,
  });

  it("opens an account for somebody new, and finds them again by the service's own id", async () => {
    const ann = identity({});
    const first = await signInWithIdentity(ann, browser());
    const again = await signInWithIdentity({ ...ann, email: "moved@mail.example" }, browser());
    expect(first.outcome).toBe("signed-in");
    expect(again).toMatchObject({ userId: first.outcome === "signed-in" ? first.userId : "" });
    const { rows } = await db().query(
      `SELECT a.plan_id, a.credit_balance, m.role FROM members m JOIN accounts a ON a.id = m.account_id
       WHERE m.user_id = $1`,
      [first.outcome === "signed-in" ? first.userId : ""],
    );
    expect(rows).toEqual([{ plan_id: "free", credit_balance: 100, role: "owner" }]);
  });

  it("opens one account for somebody new who comes twice at once, and lets both in", async () => {
    const ann = identity({});
    const signIn = () => signInWithIdentity(ann, browser());
    const hold = { statement: "LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE" };
    const [one, other] = await whileHeld(hold, signIn, signIn);
    expect([one, other]).toMatchObject([{ value: { outcome: "signed-in" } }, { value: { outcome: "signed-in" } }]);
    expect(await prisma().user.count({ where: { email: ann.email ?? "" } })).toBe(1);
  });

  it("joins a known person once who comes twice at once, and lets both in", async () => {
    const { userId, email } = await newOwner();
    const ann = identity({ email });
    const signIn = () => signInWithIdentity(ann, browser());
    const hold = { statement: "SELECT 1 FROM users WHERE id = $1 FOR UPDATE", id: userId };
    const [one, other] = await whileHeld(hold, signIn, signIn);
    expect([one, other]).toMatchObject([{ value: { userId } }, { value: { userId } }]);
    expect(await prisma().userIdentity.count({ where: { userId } })).toBe(1);
  });

  it("takes no address that the other service has not confirmed", async () => {
    expect(await signInWithIdentity(identity({ email: null }), browser())).toEqual({ outcome: "no-account" });
  });

  it("joins a confirmed address, and never one that was not confirmed here, nor staff's", async () => {
    const [confirmed, unconfirmed] = [await newOwner(), await newOwner()];
    const staff = await createStaff(OPERATOR, { email: `staff${++serial}@acme.example` });
    await db().query("UPDATE users SET email_verified_at = NULL WHERE id = $1", [unconfirmed.userId]);
    expect(await signInWithIdentity(identity({ email: confirmed.email }), browser())).toMatchObject({
      outcome: "signed-in",
      userId: confirmed.userId,
    });
    for (const { email } of [unconfirmed, staff]) {
      expect(await signInWithIdentity(identity({ email }), browser())).toEqual({ outcome: "link-first" });
    }
  });

  it("joins somebody new, who came by an invitation, to its team and opens no company for them", async () => {
    const { accountId, userId: inviter } = await newOwner();
    const ann = identity({});
    const team = { accountId, role: "owner", actor: actor(inviter) } as const;
    const invite = async (email: string | null) =>
      (await inviteMember(team, { email: email ?? "", role: "admin" })).link?.split("/").at(-1) ?? "";
    const token = await invite(ann.email);
    const strangers = await invite("somebody.else@mail.example");
    for (const wrong of [strangers, "a".repeat(43), "x"]) {
      expect(await signInWithIdentity(ann, browser(), wrong)).toEqual({ outcome: "not-invited" });
    }
    expect(await prisma().user.count({ where: { email: ann.email ?? "" } })).toBe(0);
    const signedIn = await signInWithIdentity(ann, browser(), token);
    const userId = signedIn.outcome === "signed-in" ? signedIn.userId : "";
    expect(await listMemberships(userId)).toMatchObject([{ role: "admin", account: { id: accountId } }]);
    expect(await prisma().user.findUnique({ where: { id: userId } })).toMatchObject({
      name: "Ann",
      passwordHash: null,
      emailVerifiedAt: expect.any(Date),
    });
    expect(await findInvitation(token)).toBeNull();
    expect([await hasJoinedBy(token, userId), await hasJoinedBy(token, inviter)]).toEqual([true, false]);
    expect(await signInWithIdentity(ann, browser(), token)).toMatchObject({ userId });
  });

  it("joins somebody new once who comes by an invitation twice at once, and lets both in", async () => {
    const { accountId, userId: inviter } = await newOwner();
    const ann = identity({});
    const team = { accountId, role: "owner", actor: actor(inviter) } as const;
    const { link } = await inviteMember(team, { email: ann.email ?? "", role: "member" });
    const signIn = () => signInWithIdentity(ann, browser(), link?.split("/").at(-1) ?? "");
    const hold = { statement: "LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE" };
    const [one, other] = await whileHeld(hold, signIn, signIn);
    expect([one, other]).toMatchObject([{ value: { outcome: "signed-in" } }, { value: { outcome: "signed-in" } }]);
    expect(await prisma().member.count({ where: { accountId } })).toBe(2);
  });

  it("takes no disabled person, neither at once nor with the ticket that they had before", async () => {
    const ann = identity({});
    const { userId } = (await signInWithIdentity(ann, browser())) as { userId: string };
    const ticket = await prisma().$transaction((tx) => issueUserToken(tx, userId, "second-step-google"));
    await db().query("UPDATE users SET disabled_at = now() WHERE id = $1", [userId]);
    expect(await signInWithIdentity(ann, browser())).toEqual({ outcome: "wrong" });
    expect(await signInWithTicket({ ticket, code: "123456" }, browser())).toEqual({ outcome: "wrong" });
  });

  it("takes no ticket that it did not give", async () => {
    expect(await signInWithTicket({ ticket: "a".repeat(43), code: "123456" }, browser())).toEqual({ outcome: "wrong" });
  });
});
