import { createHash, randomBytes } from "node:crypto";
import { TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { whileFailing } from "@/e2e/support/failing-statement";
import { useServiceDatabase } from "@/e2e/support/service-database";
import {
  appOf,
  CODE_MS,
  newTestOwner,
  ownerActor,
  sessionOf,
  switchOnSecondFactor,
  type TestOwner,
} from "@/e2e/support/test-people";
import { db } from "@/lib/db/pool";
import { sealText } from "@/lib/domain/sealed-text";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { confirmPassword, createPasswordLink, resetPassword } from "@/lib/services/people/change-password";
import {
  moveSecondFactor,
  offerSecondFactor,
  withdrawSecondFactorOffer,
} from "@/lib/services/people/offer-second-factor";
import { findPersonSession } from "@/lib/services/people/person-session";
import { countRecoveryCodes, renewRecoveryCodes } from "@/lib/services/people/recovery-codes";
import { stepOfCode } from "@/lib/services/people/second-factor";
import { disableSecondFactor, enableSecondFactor } from "@/lib/services/people/set-up-second-factor";
import { type SignInBrowser, signIn } from "@/lib/services/people/sign-in";
import { signInWithIdentity, signInWithTicket } from "@/lib/services/people/sign-in-with-identity";

let serial = 0;

useServiceDatabase();

const browser = (): SignInBrowser => ({ ip: `192.0.2.${++serial % 250}`, userAgent: "Test", previousToken: null });
/** A person with a second factor. */
async function withFownerActor(person: TestOwner) {
  const { token, self } = await sessionOf(person);
  return { token, self, ...(await switchOnSecondFactor(self)) };
}

describe("a second factor", () => {
  it("is asked for once it is on, and not before its first code came", async () => {
    const owner = await newTestOwner();
    await offerSecondFactor(owner.userId);
    expect((await signIn(owner, browser())).outcome).toBe("signed-in");
    const { totp } = await withFownerActor(owner);
    expect(await signIn(owner, browser())).toEqual({ outcome: "code-required" });
    expect((await signIn({ ...owner, code: totp.generate() }, browser())).outcome).toBe("signed-in");
  });

  it("that was offered before the key which sealed it was lost is offered anew", async () => {
    const owner = await newTestOwner();
    const { self } = await sessionOf(owner);
    const app = appOf(await offerSecondFactor(owner.userId));
    const sealed = sealText("{}", randomBytes(32).toString("base64"));
    await db().query("UPDATE users SET totp_pending_encrypted = $2 WHERE id = $1", [owner.userId, sealed]);
    await expect(enableSecondFactor(ownerActor(owner.userId), self, app.generate())).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("start again"),
    });
  });

  it("comes with its recovery codes, which are shown this once, also where the tries that led to it cannot be forgotten", async () => {
    const owner = await newTestOwner();
    const { self } = await sessionOf(owner);
    const app = appOf(await offerSecondFactor(owner.userId));
    const enable = () => enableSecondFactor(ownerActor(owner.userId), self, app.generate());
    const { failed, outcome } = await whileFailing({ number: 1, of: /^forget-attempts/ }, "cut", enable);
    expect(failed).toBe("forget-attempts");
    expect(outcome).toMatchObject({ status: "fulfilled", value: { recoveryCodes: { length: 10 } } });
  });

  it("says nothing of itself to those who do not know the password", async () => {
    const owner = await newTestOwner();
    const { totp } = await withFownerActor(owner);
    const wrong = { email: owner.email, password: "not this one, no" };
    expect(await signIn(wrong, browser())).toEqual({ outcome: "wrong" });
    expect(await signIn({ ...wrong, code: totp.generate() }, browser())).toEqual({ outcome: "wrong" });
  });

  it("takes a code once, also when it comes twice at the same time", async () => {
    const owner = await newTestOwner();
    const { totp } = await withFownerActor(owner);
    const attempt = { ...owner, code: totp.generate() };
    const both = await Promise.all([signIn(attempt, browser()), signIn(attempt, browser())]);
    expect(both.map(({ outcome }) => outcome).sort()).toEqual(["code-wrong", "signed-in"]);
    expect((await signIn(attempt, browser())).outcome).toBe("code-wrong");
  });

  it("takes the code that switched it on for no sign-in", async () => {
    const owner = await newTestOwner();
    const { self } = await sessionOf(owner);
    const app = appOf(await offerSecondFactor(owner.userId));
    const at = Date.now();
    const code = app.generate({ timestamp: at });
    await enableSecondFactor(ownerActor(owner.userId), self, code, at);
    expect(await signIn({ ...owner, code }, browser())).toEqual({ outcome: "code-wrong" });
  });

  it("takes no code that is older than one that was taken", async () => {
    const owner = await newTestOwner();
    const { totp } = await withFownerActor(owner);
    const now = Date.now();
    const code = (offset: number) => totp.generate({ timestamp: now + offset * CODE_MS });
    expect((await signIn({ ...owner, code: code(1) }, browser())).outcome).toBe("signed-in");
    expect((await signIn({ ...owner, code: code(0) }, browser())).outcome).toBe("code-wrong");
  });

  it("limits guesses, also of somebody who knows the password and asks for the code in between", async () => {
    const owner = await newTestOwner();
    await withFownerActor(owner);
    const outcomes = [];
    for (let tries = 0; tries < 4; tries++) {
      outcomes.push((await signIn(owner, browser())).outcome);
      outcomes.push((await signIn({ ...owner, code: "000000" }, browser())).outcome);
    }
    expect(outcomes.filter((outcome) => outcome === "code-wrong").length).toBeLessThanOrEqual(2);
    expect(outcomes.at(-1)).toBe("locked");
  });

  it.each(["renew", "move", "disable", "enable"] as const)(
    "limits guesses of whoever sits at a signed-in browser: to %s it",
    async (what) => {
      const owner = await newTestOwner();
      const { self } = await sessionOf(owner);
      if (what !== "enable") await switchOnSecondFactor(self);
      else await offerSecondFactor(owner.userId);
      const actor = ownerActor(owner.userId);
      const guess = {
        renew: () => renewRecoveryCodes(actor, owner.userId, "000000"),
        move: () => moveSecondFactor(owner.userId, "000000"),
        disable: () => disableSecondFactor(actor, owner.userId, "000000"),
        enable: () => enableSecondFactor(actor, self, "000000"),
      }[what];
      for (let tries = 0; tries < 5; tries++)
        await expect(guess()).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
      await expect(guess()).rejects.toMatchObject({ code: "RATE_LIMITED" });
    },
  );

  it.each(["confirm it", "set the same one by the link that set it", "set another by a new link"] as const)(
    "limits guesses, also of somebody who knows the password and can %s in between",
    async (what) => {
      const owner = await newTestOwner();
      const { self } = await sessionOf(owner);
      await switchOnSecondFactor(self);
      const resetAnew = async (password: string) => {
        const { link } = await createPasswordLink(OPERATOR, { email: owner.email });
        const reset = { token: link.split("token=")[1] ?? "", password };
        await resetPassword(reset, null);
        return reset;
      };
      const reset = await resetAnew("another fine one");
      const again = {
        "confirm it": () => confirmPassword(self, reset.password),
        "set the same one by the link that set it": () => resetPassword(reset, null),
        "set another by a new link": () => resetAnew(`another fine one ${++serial}`),
      }[what];
      const guess = () => disableSecondFactor(ownerActor(owner.userId), owner.userId, "000000");
      for (let tries = 0; tries < 4; tries++) {
        await expect(guess()).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
        await again();
      }
      await expect(guess()).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
      await expect(guess()).rejects.toMatchObject({ code: "RATE_LIMITED" });
    },
  );

  it("counts a wrong code against its address as a wrong password, and none that is only missing", async () => {
    const owner = await newTestOwner();
    await withFownerActor(owner);
    const from = browser();
    const subject = `address:${createHash("sha256").update(String(from.ip)).digest("base64url")}`;
    const failures = async () =>
      (await db().query("SELECT failures FROM sign_in_attempts WHERE subject = $1", [subject])).rows[0]?.failures;
    expect(await signIn(owner, from)).toEqual({ outcome: "code-required" });
    expect(await failures()).toBe(0);
    expect(await signIn({ ...owner, code: "000000" }, from)).toEqual({ outcome: "code-wrong" });
    expect(await failures()).toBe(1);
  });

  it("takes each recovery code once, however it is written", async () => {
    const owner = await newTestOwner();
    const { recoveryCodes } = await withFownerActor(owner);
    expect(recoveryCodes).toHaveLength(10);
    const [code = ""] = recoveryCodes;
    const attempt = { ...owner, code: ` ${code.toUpperCase().replace("-", " ")}` };
    expect((await signIn(attempt, browser())).outcome).toBe("signed-in");
    expect((await signIn(attempt, browser())).outcome).toBe("code-wrong");
    expect(await countRecoveryCodes(owner.userId)).toBe(9);
  });

  it("takes nobody else's recovery code", async () => {
    const [owner, other] = [await newTestOwner(), await newTestOwner()];
    await withFownerActor(owner);
    const { recoveryCodes } = await withFownerActor(other);
    const [code = ""] = recoveryCodes;
    expect((await signIn({ ...owner, code }, browser())).outcome).toBe("code-wrong");
    expect(await countRecoveryCodes(other.userId)).toBe(10);
  });

  it("says that it is on to who switches it on again, as after an answer that was lost", async () => {
    const owner = await newTestOwner();
    const { self } = await sessionOf(owner);
    const { totp } = await switchOnSecondFactor(self);
    await expect(enableSecondFactor(ownerActor(owner.userId), self, totp.generate())).rejects.toMatchObject({
      param: "code",
      message: expect.stringContaining("your second factor is on. Load the page again, and make new recovery codes"),
    });
  });

  it("moves to another app for a code of the present one, which works until the new one showed a code", async () => {
    const owner = await newTestOwner();
    const { totp, token } = await withFownerActor(owner);
    const self = { userId: owner.userId, sessionId: (await findPersonSession(token))?.sessionId ?? "" };
    const now = Date.now();
    const code = (of: TOTP, offset: number) => of.generate({ timestamp: now + offset * CODE_MS });
    await expect(offerSecondFactor(owner.userId)).rejects.toMatchObject({ param: "code" });
    await expect(moveSecondFactor(owner.userId, "000000")).rejects.toMatchObject({ param: "code" });
    const { key } = await moveSecondFactor(owner.userId, code(totp, 0), now);
    await expect(moveSecondFactor(owner.userId, code(totp, 0), now)).rejects.toMatchObject({ param: "code" });
    const moved = new TOTP({ secret: key.replaceAll(" ", "") });
    const enable = (given: string) => enableSecondFactor(ownerActor(owner.userId), self, given, now);
    await expect(enable(code(totp, 1))).rejects.toMatchObject({ param: "code" });
    expect((await signIn({ ...owner, code: code(totp, 1) }, browser())).outcome).toBe("signed-in");
    expect((await enable(code(moved, 0))).recoveryCodes).toHaveLength(10);
    expect(await signIn({ ...owner, code: code(totp, 1) }, browser())).toEqual({ outcome: "code-wrong" });
    expect((await signIn({ ...owner, code: code(moved, 1) }, browser())).outcome).toBe("signed-in");
    const { rows } = await db().query("SELECT action FROM audit_log WHERE subject = $1 ORDER BY id DESC LIMIT 2", [
      owner.userId,
    ]);
    expect(rows.map(({ action }) => action)).toContain("person.move-second-factor");
  });

  it("that was offered is switched on no more once it was given up", async () => {
    const owner = await newTestOwner();
    const { self } = await sessionOf(owner);
    const offered = await offerSecondFactor(owner.userId);
    await withdrawSecondFactorOffer(owner.userId, offered.key);
    await expect(enableSecondFactor(ownerActor(owner.userId), self, appOf(offered).generate())).rejects.toMatchObject({
      param: "code",
      message: expect.stringContaining("start again"),
    });
    expect((await signIn(owner, browser())).outcome).toBe("signed-in");
  });

  it("stays as it is where the move to another app was given up", async () => {
    const owner = await newTestOwner();
    const { totp, recoveryCodes, self } = await withFownerActor(owner);
    const offered = await moveSecondFactor(owner.userId, recoveryCodes[0] ?? "");
    await withdrawSecondFactorOffer(owner.userId, offered.key);
    await expect(enableSecondFactor(ownerActor(owner.userId), self, appOf(offered).generate())).rejects.toMatchObject({
      param: "code",
    });
    expect((await signIn({ ...owner, code: totp.generate() }, browser())).outcome).toBe("signed-in");
  });

  it("that was offered last outlives an earlier one that is given up late", async () => {
    const owner = await newTestOwner();
    const { self } = await sessionOf(owner);
    const given = await offerSecondFactor(owner.userId);
    const latest = await offerSecondFactor(owner.userId);
    await withdrawSecondFactorOffer(owner.userId, given.key);
    const { recoveryCodes } = await enableSecondFactor(ownerActor(owner.userId), self, appOf(latest).generate());
    expect(recoveryCodes).toHaveLength(10);
  });

  it("cannot be moved where there is none", async () => {
    const owner = await newTestOwner();
    await expect(moveSecondFactor(owner.userId, "000000")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("has new recovery codes when asked; the older ones stop working", async () => {
    const owner = await newTestOwner();
    const { recoveryCodes, totp } = await withFownerActor(owner);
    const renewed = await renewRecoveryCodes(ownerActor(owner.userId), owner.userId, totp.generate());
    expect((await signIn({ ...owner, code: recoveryCodes[0] }, browser())).outcome).toBe("code-wrong");
    expect((await signIn({ ...owner, code: renewed.recoveryCodes[0] }, browser())).outcome).toBe("signed-in");
  });

  it("changes in nothing without a code of it, however fresh the session is", async () => {
    const owner = await newTestOwner();
    const { totp, recoveryCodes } = await withFownerActor(owner);
    const wrong = { code: "VALIDATION_FAILED", param: "code" };
    await expect(renewRecoveryCodes(ownerActor(owner.userId), owner.userId, "000000")).rejects.toMatchObject(wrong);
    await expect(disableSecondFactor(ownerActor(owner.userId), owner.userId, "000000")).rejects.toMatchObject(wrong);
    expect(await countRecoveryCodes(owner.userId)).toBe(10);
    const [first = "", second = ""] = recoveryCodes;
    expect((await renewRecoveryCodes(ownerActor(owner.userId), owner.userId, first)).recoveryCodes).toHaveLength(10);
    await expect(renewRecoveryCodes(ownerActor(owner.userId), owner.userId, second)).rejects.toMatchObject(wrong);
    const code = totp.generate();
    await disableSecondFactor(ownerActor(owner.userId), owner.userId, code);
    expect((await signIn(owner, browser())).outcome).toBe("signed-in");
  });

  it("signs the other browsers out when it is switched on", async () => {
    const owner = await newTestOwner();
    const other = await signIn(owner, browser());
    const { token } = await withFownerActor(owner);
    expect(await findPersonSession(token)).not.toBeNull();
    expect(await findPersonSession(other.outcome === "signed-in" ? other.token : "")).toBeNull();
  });

  it("is switched off by its person, never by staff for themselves", async () => {
    const owner = await newTestOwner();
    const { recoveryCodes } = await withFownerActor(owner);
    await disableSecondFactor(ownerActor(owner.userId), owner.userId, recoveryCodes[0] ?? "");
    expect((await signIn(owner, browser())).outcome).toBe("signed-in");
    const staff = await createStaff(OPERATOR, { email: `staff${++serial}@acme.example` });
    const { totp } = await withFownerActor(staff);
    await expect(disableSecondFactor(ownerActor(staff.userId), staff.userId, totp.generate())).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    expect(await signIn(staff, browser())).toEqual({ outcome: "code-required" });
  });

  it("is removed by the operator for those who lost it, with all sessions and the password that is nothing without it", async () => {
    const owner = await newTestOwner();
    const { token } = await withFownerActor(owner);
    const { link } = await createPasswordLink(OPERATOR, { email: owner.email, removeSecondFactor: true });
    expect(await findPersonSession(token)).toBeNull();
    expect(await countRecoveryCodes(owner.userId)).toBe(0);
    expect(await signIn(owner, browser())).toEqual({ outcome: "wrong" });
    const renewed = { ...owner, password: "four horses by the old harbour" };
    const linked = new URL(link).searchParams.get("token") ?? "";
    await resetPassword({ token: linked, password: renewed.password }, null);
    expect((await signIn(renewed, browser())).outcome).toBe("signed-in");
  });

  it("keeps secret and recovery codes unreadable in the database", async () => {
    const owner = await newTestOwner();
    const { totp, recoveryCodes } = await withFownerActor(owner);
    const { rows } = await db().query(
      "SELECT u.*, r.* FROM users u JOIN recovery_codes r ON r.user_id = u.id WHERE u.id = $1",
      [owner.userId],
    );
    const text = JSON.stringify(rows);
    for (const secret of [
      totp.secret.base32,
      ...recoveryCodes,
      ...recoveryCodes.map((code) => code.replace("-", "")),
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it.each(["google", "github"] as const)(
    "is asked for after a sign-in through %s too, once for each ticket, and the audit log names the way",
    async (provider) => {
      const owner = await newTestOwner();
      const { totp } = await withFownerActor(owner);
      const identity = { provider, subject: `h${++serial}`, email: owner.email, name: null };
      const first = await signInWithIdentity(identity, browser());
      const ticket = first.outcome === "second-step" ? first.ticket : "";
      expect(await signInWithTicket({ ticket, code: "000000" }, browser())).toEqual({ outcome: "code-wrong" });
      expect(await signInWithTicket({ ticket, code: totp.generate() }, browser())).toMatchObject({
        outcome: "signed-in",
        userId: owner.userId,
      });
      const next = totp.generate({ timestamp: Date.now() + CODE_MS });
      expect(await signInWithTicket({ ticket, code: next }, browser())).toEqual({ outcome: "wrong" });
      const { rows } = await db().query(
        `SELECT after->>'how' AS how FROM audit_log WHERE action = 'person.sign-in' AND actor_id = $1
         ORDER BY created_at DESC, id DESC LIMIT 1`,
        [owner.userId],
      );
      expect(rows).toEqual([{ how: provider }]);
    },
  );

  it("limits guesses at the code behind another service's sign-in, however many tickets there are", async () => {
    const owner = await newTestOwner();
    const { totp } = await withFownerActor(owner);
    const identity = { provider: "google", subject: `h${++serial}`, email: owner.email, name: null } as const;
    const ticket = async () => {
      const first = await signInWithIdentity(identity, browser());
      return first.outcome === "second-step" ? first.ticket : "";
    };
    const outcomes = [];
    for (let guess = 0; guess < 5; guess += 1) {
      outcomes.push((await signInWithTicket({ ticket: await ticket(), code: "000000" }, browser())).outcome);
    }
    expect(outcomes).toEqual(Array(5).fill("code-wrong"));
    expect(await signInWithTicket({ ticket: await ticket(), code: totp.generate() }, browser())).toMatchObject({
      outcome: "locked",
    });
  });

  it("lets one in for one sign-in through another service, though two good codes come with it at once", async () => {
    const owner = await newTestOwner();
    const { recoveryCodes } = await withFownerActor(owner);
    const identity = { provider: "google", subject: `h${++serial}`, email: owner.email, name: null } as const;
    const first = await signInWithIdentity(identity, browser());
    const ticket = first.outcome === "second-step" ? first.ticket : "";
    const results = await Promise.all(
      recoveryCodes.slice(0, 4).map((code) => signInWithTicket({ ticket, code }, browser())),
    );
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(["signed-in", "wrong", "wrong", "wrong"]);
  });

  it("wants a new sign-in through the other service once the password was changed", async () => {
    const owner = await newTestOwner();
    const { totp } = await withFownerActor(owner);
    const identity = { provider: "google", subject: `h${++serial}`, email: owner.email, name: null } as const;
    const first = await signInWithIdentity(identity, browser());
    const ticket = first.outcome === "second-step" ? first.ticket : "";
    const { link } = await createPasswordLink(OPERATOR, { email: owner.email });
    await resetPassword({ token: link.split("token=")[1] ?? "", password: "another fine one" }, null);
    expect(await signInWithTicket({ ticket, code: totp.generate() }, browser())).toEqual({ outcome: "wrong" });
  });
});

describe("stepOfCode", () => {
  const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
  const code = (nowMs: number) => new TOTP({ secret }).generate({ timestamp: nowMs });

  it("knows the codes of this step and its neighbours, and no others", () => {
    const now = 1_800_000_000_000;
    const steps = [-2, -1, 0, 1, 2].map((offset) => stepOfCode(secret, code(now + offset * CODE_MS), now));
    expect(steps).toEqual([null, 59_999_999, 60_000_000, 60_000_001, null]);
  });

  it("reads a code with spaces, and takes nothing else for one", () => {
    const now = 1_800_000_000_000;
    const plain = code(now);
    expect(stepOfCode(secret, `${plain.slice(0, 3)} ${plain.slice(3)}`, now)).toBe(60_000_000);
    for (const text of ["", "12345", "1234567", "abcdef", `-${plain.slice(1)}`]) {
      expect(stepOfCode(secret, text, now)).toBeNull();
    }
  });
});
