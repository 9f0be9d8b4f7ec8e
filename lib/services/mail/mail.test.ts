import { Client } from "pg";
import { describe, expect, it, vi } from "vitest";
import { useMailbox } from "@/e2e/support/mailbox";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { createAccount } from "@/lib/services/accounts/create-account";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { deliverMail, giveUpMail } from "@/lib/services/mail/deliver-mail";
import { enqueueMail } from "@/lib/services/mail/enqueue-mail";
import { redispatchMails } from "@/lib/services/mail/redispatch-mails";
import { acceptAsNewPerson } from "@/lib/services/members/accept-invitation";
import { inviteMember } from "@/lib/services/members/invitations";
import { requestPasswordReset, resetPassword } from "@/lib/services/people/change-password";
import { signIn } from "@/lib/services/people/sign-in";
import { confirmEmail, resendConfirmation, signUp } from "@/lib/services/people/sign-up";

const PASSWORD = "seven green bottles";
const BROWSER = { ip: null, userAgent: null, previousToken: null };

const smtp = useMailbox({ SERVICE_NAME: "Acme AI", LOG_LEVEL: "warn" });
let serial = 0;

/** Hands over what waits in the outbox, as the relay and the function do. */
async function deliverWaiting(): Promise<void> {
  const { rows } = await db().query("DELETE FROM outbox_events WHERE name = 'mail/ready' RETURNING data");
  for (const { data } of rows) await deliverMail(data.mailId);
}

async function tokenSentTo(email: string): Promise<string> {
  await deliverWaiting();
  const mail = smtp.mails.findLast(({ to }) => to.includes(email));
  return /token=([\w-]{43})/.exec(mail?.text ?? "")?.[1] ?? "";
}

const newPerson = () => ({ companyName: "Blue Ltd", email: `new${++serial}@blue.example`, password: PASSWORD });

/** What the audit log says of a person outside of any account, and from where it was done. */
async function linesOf(email: string) {
  const { id: subject } = await prisma().user.findUniqueOrThrow({ where: { email } });
  const lines = await prisma().auditEntry.findMany({ where: { subject, accountId: null } });
  return lines.map(({ action, ip }) => [action, ip]);
}

describe("an invitation", () => {
  it("goes to whom it is for and to nobody else: its link proves the address", async () => {
    const { accountId, owner } = await createAccount(OPERATOR, {
      ...{ companyName: "Acme", email: `owner${++serial}@acme.example`, isVerified: true, planId: "free", credits: 0 },
    });
    const actor = { kind: "owner", userId: owner.userId } as const;
    const email = `guest${++serial}@acme.example`;
    const { link } = await inviteMember({ accountId, role: "owner", actor }, { email, role: "member" });
    expect(link).toBeNull();
    await deliverWaiting();
    const token = /\/invitation\/([\w-]{43})/.exec(smtp.mails[0]?.text ?? "")?.[1] ?? "";
    expect(smtp.mails.map(({ to }) => to)).toEqual([[email]]);
    await acceptAsNewPerson({ token, name: "", password: PASSWORD }, null);
    expect((await signIn({ email, password: PASSWORD }, BROWSER)).outcome).toBe("signed-in");
  });

  it("goes to one person a few times at most, however often an account invites them", async () => {
    const { accountId, owner } = await createAccount(OPERATOR, {
      ...{ companyName: "Acme", email: `owner${++serial}@acme.example`, isVerified: true, planId: "free", credits: 0 },
    });
    const team = { accountId, role: "owner", actor: { kind: "owner", userId: owner.userId } } as const;
    const email = `guest${++serial}@acme.example`;
    for (let times = 0; times < 3; times++) await inviteMember(team, { email, role: "member" });
    await expect(inviteMember(team, { email, role: "member" })).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await deliverWaiting();
    expect(smtp.mails).toHaveLength(3);
  });
});

describe("mails", () => {
  it("arrive as they were written, with their id, and are not kept", async () => {
    const text = "Grüße,\n.a line that begins with a dot\nhttps://service.example/x?token=a=b";
    await prisma().$transaction((tx) =>
      enqueueMail(tx, { to: "ann@acme.example", subject: "Grüße\r\nBcc: x@y.example", text }),
    );
    await deliverWaiting();
    const [mail] = smtp.mails;
    expect(mail?.to).toEqual(["ann@acme.example"]);
    expect(mail?.text.trimEnd().replace(/\r\n/g, "\n")).toBe(text);
    expect(mail?.raw).toMatch(/^Message-ID: <mal_\w+@service\.example>/im);
    expect(mail?.raw).toMatch(/^From: .*no-reply@service\.example/im);
    expect(mail?.raw).not.toMatch(/^Bcc:/im);
    expect((await db().query("SELECT 1 FROM mails")).rows).toEqual([]);
  });

  it("go out only when their transaction commits", async () => {
    const work = prisma().$transaction(async (tx) => {
      await enqueueMail(tx, { to: "ann@acme.example", subject: "No", text: "No" });
      throw new Error("rolled back");
    });
    await expect(work).rejects.toThrow("rolled back");
    await deliverWaiting();
    expect(smtp.mails).toEqual([]);
  });

  it("wait sealed, and stay until the server takes them", async () => {
    await prisma().$transaction((tx) =>
      enqueueMail(tx, { to: "ann@acme.example", subject: "Hi", text: "a secret link" }),
    );
    const { rows } = await db().query("SELECT * FROM mails");
    expect(JSON.stringify(rows)).not.toContain("secret link");
    smtp.refuseNext(1);
    // The log has these words alone: whoever reads them has to know whose they are.
    await expect(deliverMail(rows[0].id)).rejects.toThrow(/^The mail server of SMTP_URL: .*451/);
    expect(await deliverMail(rows[0].id)).toBe("sent");
    expect(await deliverMail(rows[0].id)).toBe("gone");
    expect(smtp.mails).toHaveLength(1);
  });

  it.each([
    ["550 5.1.1 no such user", "refused", 0],
    ["550 5.1.2 no such domain", "refused", 0],
    ["450 4.2.1 try later", "450", 1],
    ["554 5.7.1 relay access denied", "554", 1],
    ["550 blocked", "550", 1],
  ])("are tried again unless nobody has the address: %s", async (line, outcome, left) => {
    await prisma().$transaction((tx) => enqueueMail(tx, { to: "ann@acme.example", subject: "Hi", text: "Hi" }));
    const { rows } = await db().query("SELECT id FROM mails");
    smtp.refuseReceivers(line);
    const came = await deliverMail(rows[0].id).catch((error: Error) => error.message);
    smtp.refuseReceivers(undefined);
    expect(came).toMatch(new RegExp(outcome));
    expect((await db().query("SELECT 1 FROM mails")).rows).toHaveLength(left);
  });

  it("have a line in the log for each try that the server put off, and cause no alarm", async () => {
    await prisma().$transaction((tx) => enqueueMail(tx, { to: "ann@acme.example", subject: "Hi", text: "Hi" }));
    const { rows } = await db().query("SELECT id FROM mails");
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    smtp.refuseReceivers("450 4.2.1 <ann@acme.example> greylisted");
    await expect(deliverMail(rows[0].id)).rejects.toMatchObject({
      name: "PutOffError",
      message: expect.stringContaining("450"),
    });
    smtp.refuseReceivers(undefined);
    const lines = written.mock.calls.map(([line]) => String(line));
    written.mockRestore();
    expect(lines).toEqual([expect.stringMatching(/warn.*A mail was not taken\..*450 4\.2\.1/is)]);
    expect(lines.join()).toContain(rows[0].id);
    expect(lines.join()).not.toContain("ann@acme.example");
  });

  it("are forgotten when they are given up", async () => {
    await prisma().$transaction((tx) => enqueueMail(tx, { to: "ann@acme.example", subject: "Hi", text: "Hi" }));
    const { rows } = await db().query("SELECT id FROM mails");
    await giveUpMail(rows[0].id);
    expect(await deliverMail(rows[0].id)).toBe("gone");
  });
});

describe("mails that the queue has forgotten", () => {
  async function mailOfAge(age: string): Promise<string> {
    await prisma().$transaction((tx) => enqueueMail(tx, { to: "ann@acme.example", subject: "Hi", text: "Hi" }));
    const { rows } = await db().query("DELETE FROM outbox_events RETURNING data->>'mailId' AS id");
    await db().query("UPDATE mails SET created_at = now() - $2::interval WHERE id = $1", [rows[0].id, age]);
    return rows[0].id;
  }

  it("are handed over again, once by each sweep, until they are sent", async () => {
    const id = await mailOfAge("11 minutes");
    for (const _sweep of [1, 2]) {
      expect(await redispatchMails()).toBe(1);
      const { rows } = await db().query("DELETE FROM outbox_events RETURNING name, data");
      expect(rows).toEqual([{ name: "mail/ready", data: { mailId: id } }]);
    }
    expect([await deliverMail(id), await deliverMail(id)]).toEqual(["sent", "gone"]);
    expect(smtp.mails).toHaveLength(1);
    expect(await redispatchMails()).toBe(0);
  });

  it("do not keep others waiting: where more fail than one sweep takes, the next one takes the others first", async () => {
    await db().query(
      `INSERT INTO mails (id, sealed, created_at)
       SELECT 'old' || n, '', now() - interval '1 hour' FROM generate_series(1, 1000) n`,
    );
    const newer = await mailOfAge("11 minutes");
    const taken = async () => {
      await redispatchMails();
      const { rows } = await db().query("DELETE FROM outbox_events RETURNING data->>'mailId' AS id");
      return rows.map(({ id }) => id);
    };
    const [first, second] = [await taken(), await taken()];
    expect([first.length, first.includes(newer)]).toEqual([1_000, false]);
    expect([second.length, second.includes(newer)]).toEqual([1_000, true]);
    await db().query("DELETE FROM mails");
  });

  it("are no young ones, and none whose time is over", async () => {
    for (const age of ["9 minutes", "3 days 1 second"]) await mailOfAge(age);
    expect(await redispatchMails()).toBe(0);
    expect((await db().query("SELECT 1 FROM outbox_events")).rows).toEqual([]);
  });
});

describe("sign-up with a mail server", () => {
  it("lets nobody in before the address is confirmed, by a token that works once", async () => {
    const person = newPerson();
    expect(await signUp(person, null)).toEqual({ needsConfirmation: true });
    const token = await tokenSentTo(person.email);
    expect(await signIn(person, BROWSER)).toEqual({ outcome: "unconfirmed" });
    await confirmEmail({ token, password: PASSWORD });
    await expect(confirmEmail({ token, password: PASSWORD })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await signIn(person, BROWSER)).outcome).toBe("signed-in");
    expect(await linesOf(person.email)).toContainEqual(["person.confirm-email", null]);
  });

  it("answers the same for an address that is taken, and tells its owner by mail", async () => {
    const person = newPerson();
    await signUp(person, null);
    await confirmEmail({ token: await tokenSentTo(person.email), password: PASSWORD });
    expect(await signUp({ ...person, companyName: "Another" }, null)).toEqual({ needsConfirmation: true });
    await deliverWaiting();
    expect(smtp.mails.at(-1)?.text).toContain("It has an account already");
    expect((await db().query("SELECT 1 FROM accounts WHERE company_name = 'Another'")).rows).toEqual([]);
    expect((await signIn(person, BROWSER)).outcome).toBe("signed-in");
  });

  it("sends the confirmation again when asked, and nothing to addresses that nobody has", async () => {
    const person = newPerson();
    await signUp(person, null);
    const first = await tokenSentTo(person.email);
    await resendConfirmation(person.email, null);
    await resendConfirmation("nobody@blue.example", null);
    const second = await tokenSentTo(person.email);
    expect(smtp.mails.map(({ to }) => to)).toEqual([[person.email], [person.email]]);
    await expect(confirmEmail({ token: first, password: PASSWORD })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await confirmEmail({ token: second, password: PASSWORD });
    expect((await signIn(person, BROWSER)).outcome).toBe("signed-in");
  });

  it("opens no account for a stranger who signed up with the address first: the password of the sign-up is asked for", async () => {
    const stranger = newPerson();
    const owner = { ...stranger, companyName: "Owner", password: "my own good password" };
    await signUp(stranger, null);
    await deliverWaiting();
    await signUp(owner, null);
    const token = await tokenSentTo(owner.email);
    const wrong = { code: "VALIDATION_FAILED", param: "password" };
    await expect(confirmEmail({ token, password: owner.password })).rejects.toMatchObject(wrong);
    expect(await signIn(stranger, BROWSER)).toEqual({ outcome: "unconfirmed" });
    await requestPasswordReset(owner.email, null);
    await resetPassword({ token: await tokenSentTo(owner.email), password: owner.password }, null);
    expect((await signIn(owner, BROWSER)).outcome).toBe("signed-in");
    expect(await signIn(stranger, BROWSER)).toEqual({ outcome: "wrong" });
  });

  it("sends another confirmation to whoever signs up again before they confirm", async () => {
    const person = newPerson();
    await signUp(person, null);
    const first = await tokenSentTo(person.email);
    await signUp(person, null);
    const second = await tokenSentTo(person.email);
    expect(second).toMatch(/^[\w-]{43}$/);
    expect(second).not.toBe(first);
    await confirmEmail({ token: second, password: PASSWORD });
  });

  it("opens one account for who signs up twice at once, and no mail of theirs fails", async () => {
    const person = newPerson();
    await signUp(person, null);
    await signUp(person, null);
    const { rows } = await db().query("DELETE FROM outbox_events WHERE name = 'mail/ready' RETURNING data");
    const [first, second] = rows.map(({ data }) => data.mailId as string);
    const sent = await whileHeld(
      { statement: "LOCK TABLE users IN SHARE MODE" },
      () => deliverMail(first ?? ""),
      () => deliverMail(second ?? ""),
    );
    expect(sent).toEqual(Array(2).fill({ status: "fulfilled", value: "sent" }));
    expect(smtp.mails.map(({ to }) => to)).toEqual([[person.email], [person.email]]);
  });

  it.each([
    ["company", { companyName: "Blue\u0000Ltd" }],
    ["email", { email: "a\u0000b@blue.example" }],
  ])("refuses at once what the database keeps no text of, in %s", async (param, change) => {
    await expect(signUp({ ...newPerson(), ...change }, null)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      param,
    });
    expect((await db().query("SELECT 1 FROM mails")).rows).toEqual([]);
  });
});

describe("what anybody may ask for by an address", () => {
  const asks = {
    "a sign-up": (person: ReturnType<typeof newPerson>) => signUp(person, null),
    "the confirmation again": ({ email }: { email: string }) => resendConfirmation(email, null),
    "a new password": ({ email }: { email: string }) => requestPasswordReset(email, null),
  };

  it.each(Object.entries(asks))("does the same work for each address, before the mail is made: %s", async (_, ask) => {
    const [known, unknown] = [newPerson(), newPerson()];
    await createAccount(OPERATOR, { ...known, isVerified: true, planId: "free", credits: 0 });
    const query = vi.spyOn(Client.prototype, "query");
    const statementsOf = async (person: ReturnType<typeof newPerson>) => {
      query.mockClear();
      await ask(person);
      return query.mock.calls.map(([statement]: unknown[]) =>
        typeof statement === "string" ? statement : (statement as { text: string }).text,
      );
    };
    const statements = await statementsOf(known);
    expect(statements).toContain("COMMIT");
    expect(await statementsOf(unknown)).toEqual(statements);
    query.mockRestore();
  });

  it.each(Object.entries(asks))("is mailed to one person a few times at most: %s", async (_, ask) => {
    const person = newPerson();
    for (let times = 0; times < 3; times++) await ask(person);
    await expect(ask(person)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  it.each([
    ["the confirmation again", "198.51.100.7", resendConfirmation],
    ["a new password", "198.51.100.8", requestPasswordReset],
  ])("is asked for from one place a few times at most, by whichever address: %s", async (_, ip, ask) => {
    for (let times = 0; times < 10; times++) await ask(newPerson().email, ip);
    await expect(ask(newPerson().email, ip)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  it("is made once, also when the mail server takes it at the second try only", async () => {
    const person = newPerson();
    await signUp(person, null);
    smtp.refuseNext(1);
    const { rows } = await db().query("DELETE FROM outbox_events RETURNING data->>'mailId' AS id");
    await expect(deliverMail(rows[0].id)).rejects.toThrow(/451/);
    expect(await deliverMail(rows[0].id)).toBe("sent");
    expect(smtp.mails).toHaveLength(1);
    const token = /token=([\w-]{43})/.exec(smtp.mails[0]?.text ?? "")?.[1] ?? "";
    await confirmEmail({ token, password: PASSWORD });
  });
});

describe("a forgotten password", () => {
  it("is set anew by the mailed link; the owner is told", async () => {
    const person = newPerson();
    await signUp(person, null);
    await deliverWaiting();
    await requestPasswordReset(person.email.toUpperCase(), "192.0.2.1");
    const token = await tokenSentTo(person.email);
    await resetPassword({ token, password: "another fine one" }, null);
    await deliverWaiting();
    expect(smtp.mails.at(-1)?.text).toContain("was changed");
    expect(await linesOf(person.email)).toContainEqual(["person.request-password-reset", "192.0.2.1"]);
    expect((await signIn({ ...person, password: "another fine one" }, BROWSER)).outcome).toBe("signed-in");
  });

  it("is set by the same link whichever try brought it: one may have come though its server broke off", async () => {
    const { owner } = await createAccount(OPERATOR, {
      ...{ companyName: "Acme", email: `owner${++serial}@acme.example`, isVerified: true, planId: "free", credits: 0 },
    });
    await requestPasswordReset(owner.email, null);
    const [{ id } = { id: "" }] = (await db().query("SELECT id FROM mails ORDER BY created_at DESC LIMIT 1")).rows;
    const links = async () =>
      (await db().query("SELECT token_hash FROM user_tokens WHERE user_id = $1", [owner.userId])).rows;
    smtp.refuseNext(1);
    await expect(deliverMail(id)).rejects.toThrow(/451/);
    const first = await links();
    expect(first).toHaveLength(1);
    expect(await deliverMail(id)).toBe("sent");
    expect(await links()).toEqual(first);
  });

  it("sends nothing where nobody is, and says nothing of it", async () => {
    expect(await requestPasswordReset("nobody@blue.example", null)).toBeUndefined();
    await deliverWaiting();
    expect(smtp.mails).toEqual([]);
    expect(await prisma().mail.count(), "nor is the address kept").toBe(0);
  });

  it("sends one person a few mails at most, known or not", async () => {
    const person = newPerson();
    await createAccount(OPERATOR, { ...person, isVerified: true, planId: "free", credits: 0 });
    for (const email of [person.email, "nobody-at-all@blue.example"]) {
      for (let tries = 0; tries < 3; tries++) await requestPasswordReset(email, null);
      await expect(requestPasswordReset(email, null)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    }
  });
});
