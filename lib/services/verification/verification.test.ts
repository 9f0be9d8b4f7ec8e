import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { type CompanyData, companyDataSchema, verificationDecisionSchema } from "@/lib/contracts/verification";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { createAccount } from "@/lib/services/accounts/create-account";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { createUser } from "@/lib/services/accounts/create-user";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { restoreAccount } from "@/lib/services/accounts/restore-account";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { verifyAccount } from "@/lib/services/accounts/verify-account";
import { listAlerts } from "@/lib/services/alerts/list-alerts";
import { authenticateKey } from "@/lib/services/api-keys/authenticate-key";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";
import { openSecret } from "@/lib/services/people/sealed-secret";
import { decideVerification } from "@/lib/services/verification/decide-verification";
import { getVerification } from "@/lib/services/verification/get-verification";
import { listVerifications } from "@/lib/services/verification/list-verifications";
import { COMPANY } from "@/lib/services/verification/sample-company";
import { submitVerification } from "@/lib/services/verification/submit-verification";

const PAGE = { limit: 20, offset: 0 };

let staff: Actor;

useServiceDatabase({ SMTP_URL: "smtp://127.0.0.1:1", APP_URL: "https://service.example" });
beforeAll(async () => {
  const { userId } = await createStaff(OPERATOR, { email: "staff@service.example" });
  staff = { kind: "staff", userId };
});

async function newAccount() {
  const email = `owner-${randomUUID()}@acme.example`;
  const { accountId, owner } = await createAccount(OPERATOR, {
    companyName: "Acme",
    email,
    isVerified: false,
    planId: "free",
    credits: 0,
  });
  const actor: Actor = { kind: "owner", userId: owner.userId };
  const submit = (company: CompanyData = COMPANY, now?: Date) => submitVerification(actor, { accountId }, company, now);
  const current = async () => {
    const [submission] = (await getVerification({ accountId })).submissions;
    if (!submission) throw new Error("Nothing was submitted.");
    return submission;
  };
  return { accountId, email, submit, current };
}

const decide = (submissionId: string, decision: "approve" | "ask" | "reject", message?: string) =>
  decideVerification(staff, { submissionId, decision, message, fieldMessages: {} });

async function audit(accountId: string) {
  const { rows } = await db().query(
    "SELECT action, reason, before, after, actor_kind AS actor FROM audit_log WHERE account_id = $1 ORDER BY id",
    [accountId],
  );
  return rows;
}

describe("submitting company data", () => {
  it("starts 48 hours in which it has to be decided, and keeps the data in one place", async () => {
    const { accountId, submit } = await newAccount();
    const verification = await submit(COMPANY, new Date("2026-01-31T09:30:00.000Z"));
    expect(verification).toMatchObject({ status: "pending", canSubmit: false, verifiedAt: null });
    expect(verification.submissions).toEqual([
      {
        id: expect.stringMatching(/^ver_/),
        round: 1,
        status: "pending",
        company: JSON.parse(JSON.stringify(COMPANY)),
        message: null,
        fieldMessages: {},
        submittedAt: "2026-01-31T09:30:00.000Z",
        dueAt: "2026-02-02T09:30:00.000Z",
        decidedAt: null,
      },
    ]);
    expect(JSON.stringify(await audit(accountId))).not.toContain("Hauptstra");
  });

  it("is taken once while staff are checking, also when two people send it at once", async () => {
    const { submit, accountId } = await newAccount();
    const results = await Promise.allSettled([submit(), submit(), submit()]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "VALIDATION_FAILED" });
    expect((await getVerification({ accountId })).submissions).toHaveLength(1);
  });

  it("does not find an unknown account", async () => {
    await expect(submitVerification(OPERATOR, { accountId: "acc_none" }, COMPANY)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(getVerification({ accountId: "acc_none" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("the decision of staff", () => {
  it("approves: keys can be created at once, and the owner is told", async () => {
    const { accountId, submit, current } = await newAccount();
    await submit();
    const create = () => createApiKey(OPERATOR, { accountId, name: "First", permissions: ["chat"] });
    await expect(create()).rejects.toMatchObject({ code: "B2B_NOT_VERIFIED" });
    const { id } = await current();
    expect(await decide(id, "approve")).toMatchObject({ status: "verified", canSubmit: false });
    expect((await listAlerts({ accountId }, PAGE)).data).toMatchObject([
      { kind: "verification.approved", subjectId: id },
    ]);
    const { apiKey } = await create();
    expect((await authenticateKey(apiKey)).verificationStatus).toBe("verified");
    expect((await listAlerts({ accountId }, PAGE)).data).toEqual([]);
    expect((await audit(accountId)).at(-2)).toMatchObject({
      action: "verification.approve",
      actor: "staff",
      before: { verification: "pending" },
      after: { verification: "verified" },
    });
  });

  it("is news no longer once the account is suspended", async () => {
    const { accountId } = await newAccount();
    await verifyAccount(OPERATOR, { accountId });
    await suspendAccount(OPERATOR, { accountId, reason: "Unpaid" });
    expect((await listAlerts({ accountId }, PAGE)).data).toEqual([]);
  });

  it("is told to the owner in the same way when the operator verifies the account, once", async () => {
    const { accountId, submit, current } = await newAccount();
    await submit();
    const { id } = await current();
    await verifyAccount(OPERATOR, { accountId });
    const said = async () => ({
      alerts: await prisma().alert.findMany({ where: { accountId } }),
      submission: await prisma().verificationSubmission.findUnique({ where: { id } }),
      verifiedAt: (await prisma().account.findUnique({ where: { id: accountId } }))?.verifiedAt,
    });
    const before = await said();
    await verifyAccount(OPERATOR, { accountId });
    expect(await said(), "nothing is said or decided anew").toEqual(before);
    expect((await listAlerts({ accountId }, PAGE)).data).toMatchObject([
      { kind: "verification.approved", subjectId: id },
    ]);
    const { accountId: byHand } = await newAccount();
    await verifyAccount(OPERATOR, { accountId: byHand });
    expect((await listAlerts({ accountId: byHand }, PAGE)).data).toMatchObject([
      { kind: "verification.approved", subjectId: null },
    ]);
  });

  it("mails those who can hand data in again, without what staff wrote", async () => {
    const { accountId, email, submit, current } = await newAccount();
    const [member, admin] = ["member", "admin"].map((role) => ({
      role,
      email: `${role}-${randomUUID()}@acme.example`,
    }));
    for (const one of [member, admin]) {
      await prisma().$transaction(async (tx) => {
        const userId = await createUser(tx, { email: one?.email ?? "", passwordHash: "x", isStaff: false });
        await tx.member.create({ data: { accountId, userId, role: one?.role ?? "" } });
      });
    }
    await submit();
    await prisma().mail.deleteMany();
    await decide((await current()).id, "ask", "Who is behind this?");
    const mails = (await prisma().mail.findMany()).map(({ sealed }) => JSON.parse(openSecret(sealed)));
    expect(mails.map(({ to }) => to).sort()).toEqual([admin?.email, email].sort());
    expect(mails[0].text).toContain(`https://service.example/panel/api-b2b/verification?of=${accountId}\n`);
    expect(JSON.stringify(mails)).not.toContain("Who is behind this?");
  });

  it("asks for more with words at the fields; the answer is a submission of its own and ends the alert", async () => {
    const { accountId, submit, current } = await newAccount();
    await submit();
    const first = await current();
    await decideVerification(staff, {
      submissionId: first.id,
      decision: "ask",
      message: undefined,
      fieldMessages: { vatId: "Give the VAT id.", city: undefined },
    });
    expect(await getVerification({ accountId })).toMatchObject({ status: "more_info", canSubmit: true });
    expect((await listAlerts({ accountId }, PAGE)).data).toMatchObject([{ kind: "verification.more_info" }]);

    const verification = await submit({ ...COMPANY, vatId: "DE123456789" });
    expect(verification.submissions).toMatchObject([
      { status: "pending", company: { vatId: "DE123456789" } },
      { id: first.id, status: "more_info", fieldMessages: { vatId: "Give the VAT id." } },
    ]);
    expect(verification.submissions[1]?.fieldMessages).toEqual({ vatId: "Give the VAT id." });
    expect((await listAlerts({ accountId }, PAGE)).data).toEqual([]);
    expect((await audit(accountId)).at(-1)).toMatchObject({ after: { changed: ["vatId"] } });
  });

  it("rejects with a reason, after which the data can be handed in again", async () => {
    const { accountId, submit, current } = await newAccount();
    await submit();
    await decide((await current()).id, "reject", "The register does not know this number.");
    expect(await getVerification({ accountId })).toMatchObject({
      status: "rejected",
      canSubmit: true,
      submissions: [{ message: "The register does not know this number." }],
    });
    expect((await submit()).status).toBe("pending");
  });

  it("keeps counting rounds when there are more than are shown: the newest has the highest number, here and in the queue", async () => {
    const { accountId, submit } = await newAccount();
    await db().query(
      `INSERT INTO verification_submissions (id, account_id, status, company, submitted_at, due_at, decided_at)
       SELECT 'vrf_round' || n, $1, 'more_info', $2::jsonb, now() - interval '1 day' + n * interval '1 minute', now(), now()
       FROM generate_series(1, 60) n`,
      [accountId, JSON.stringify(COMPANY)],
    );
    const { submissions } = await submit();
    expect([submissions.length, submissions[0]?.round, submissions.at(-1)?.round]).toEqual([50, 61, 12]);
    const queue = await listVerifications({ limit: 100 });
    expect(queue.data.find((item) => item.accountId === accountId)?.round).toBe(61);
  });

  it("is made once, by whoever is first", async () => {
    const { accountId, submit, current } = await newAccount();
    await submit();
    const { id } = await current();
    const results = await Promise.allSettled([decide(id, "approve"), decide(id, "reject", "No.")]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const decided = (await current()).status === "approved" ? "approved it" : "rejected it";
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: expect.stringContaining(`staff@service.example ${decided}`) },
    });
    const decisions = (await audit(accountId)).filter(({ action }) => /approve|reject/.test(action));
    expect(decisions).toHaveLength(1);
  });

  it("is not made once more by a colleague, who learns of the first", async () => {
    const { userId } = await createStaff(OPERATOR, { email: "colleague@service.example" });
    const { submit, current } = await newAccount();
    await submit();
    const submission = { submissionId: (await current()).id, decision: "approve", fieldMessages: {} } as const;
    await decideVerification(staff, submission);
    await decideVerification(staff, submission);
    await expect(decideVerification({ kind: "staff", userId }, submission)).rejects.toMatchObject({
      message: expect.stringContaining("staff@service.example approved it"),
    });
  });

  it("ends the news before it, also when the operator verifies the account, and no other alert", async () => {
    const { accountId, submit, current } = await newAccount();
    const other = { kind: "webhook.failed", accountId, message: "It fails." };
    await prisma().alert.create({ data: { id: newId("alert"), ...other } });
    await submit();
    await decide((await current()).id, "ask", "Who is behind this?");
    await verifyAccount(OPERATOR, { accountId });
    const open = await prisma().alert.findMany({ where: { accountId, resolvedAt: null }, orderBy: { kind: "asc" } });
    expect(open.map(({ kind }) => kind)).toEqual(["verification.approved", "webhook.failed"]);
  });

  it("is mailed to nobody who was shut out", async () => {
    const { accountId, email, submit, current } = await newAccount();
    await prisma().user.updateMany({ where: { email }, data: { disabledAt: new Date() } });
    await submit();
    await prisma().mail.deleteMany();
    await decide((await current()).id, "approve");
    expect(await prisma().mail.count()).toBe(0);
    expect((await getVerification({ accountId })).status).toBe("verified");
  });

  it("does not end a suspension by the way", async () => {
    const { accountId, submit, current } = await newAccount();
    await submit();
    await suspendAccount(staff, { accountId, reason: "fraud" });
    await expect(decide((await current()).id, "approve")).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect((await current()).status).toBe("pending");
    await expect(submit()).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  });

  it("does not find an unknown submission", async () => {
    await expect(decide("ver_none", "approve")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("the queue", () => {
  it("lists what waits by due time, page by page, and says what is overdue", async () => {
    await db().query("DELETE FROM verification_submissions");
    const day = (n: number) => new Date(Date.UTC(2026, 0, n));
    const accounts = await Promise.all([newAccount(), newAccount(), newAccount(), newAccount()]);
    for (const [index, { submit }] of accounts.entries()) await submit(COMPANY, day(10 - index));
    await suspendAccount(staff, { accountId: accounts[2]?.accountId ?? "", reason: "fraud" });

    const first = await listVerifications({ limit: 2 }, day(10));
    expect(first.data).toMatchObject([
      { accountId: accounts[3]?.accountId, isOverdue: true, round: 1, submittedBy: accounts[3]?.email },
      { accountId: accounts[1]?.accountId, isOverdue: false, companyName: "Acme" },
    ]);
    const second = await listVerifications({ limit: 2, cursor: first.nextCursor ?? "" }, day(10));
    expect(second).toMatchObject({ data: [{ accountId: accounts[0]?.accountId }], nextCursor: null });
  });
});

describe("what was decided", () => {
  it("is listed with the newest first, page by page", async () => {
    await db().query("DELETE FROM verification_submissions");
    const accounts = await Promise.all([newAccount(), newAccount(), newAccount()]);
    for (const [index, { submit, current }] of accounts.entries()) {
      await submit(COMPANY, new Date(Date.UTC(2026, 0, 1 + index)));
      await decide((await current()).id, "reject", "No.");
    }
    const first = await listVerifications({ status: "rejected", limit: 2 });
    const second = await listVerifications({ status: "rejected", limit: 2, cursor: first.nextCursor ?? "" });
    const listed = [...first.data, ...second.data].map(({ accountId }) => accountId);
    expect(listed).toEqual(accounts.map(({ accountId }) => accountId).toReversed());
  });
});

describe("suspending and restoring", () => {
  it("closes the keys from the next call on and opens them again", async () => {
    const { accountId } = await newAccount();
    await verifyAccount(OPERATOR, { accountId });
    const { apiKey } = await createApiKey(OPERATOR, { accountId, name: "First", permissions: ["chat"] });
    const status = async () => (await authenticateKey(apiKey)).verificationStatus;
    await suspendAccount(staff, { accountId, reason: "fraud" });
    expect(await status()).toBe("suspended");
    expect(await restoreAccount(staff, { accountId, reason: "cleared" })).toEqual({
      accountId,
      verification: "verified",
    });
    expect(await status()).toBe("verified");
    expect((await audit(accountId)).at(-1)).toMatchObject({ action: "account.restore", reason: "cleared" });
  });

  it("tells owners and admins by mail, without the reason: their systems are refused while nobody looks into the panel", async () => {
    const { accountId, email } = await newAccount();
    const mailsOf = async (act: () => Promise<unknown>) => {
      await prisma().mail.deleteMany();
      await act();
      return (await prisma().mail.findMany()).map(({ sealed }) => JSON.parse(openSecret(sealed)));
    };
    const [suspended, ...others] = await mailsOf(() => suspendAccount(staff, { accountId, reason: "fraud" }));
    expect(others).toEqual([]);
    expect(suspended).toMatchObject({ to: email, subject: expect.stringContaining("is suspended") });
    expect(suspended.text).toContain("https://service.example/panel/api-b2b/verification");
    expect(suspended.text).not.toContain("fraud");
    await suspendAccount(staff, { accountId, reason: "again" }).catch(() => {});
    const restored = await mailsOf(() => restoreAccount(staff, { accountId, reason: "cleared" }));
    expect(restored).toMatchObject([{ to: email, subject: expect.stringContaining("no longer suspended") }]);
  });

  it("tells the account's people why and since when, and nothing of it any more once it ended", async () => {
    const { accountId } = await newAccount();
    const told = async () => (await getVerification({ accountId })).suspension;
    expect(await told()).toBeNull();
    await suspendAccount(staff, { accountId, reason: "The first invoice is open" });
    await restoreAccount(staff, { accountId, reason: "Paid" });
    expect(await told()).toBeNull();
    await suspendAccount(staff, { accountId, reason: "The second invoice is open" });
    expect(await told()).toEqual({
      since: expect.stringMatching(/Z$/),
      reason: "The second invoice is open",
      isErasure: false,
    });
    const other = await newAccount();
    expect((await getVerification(other)).suspension).toBeNull();
    await requestAccountErasure(staff, { accountId, confirmation: "Acme" });
    expect(await told()).toMatchObject({ reason: null, isErasure: true });
  });

  it("gives an account that was never verified back what it was, not more", async () => {
    const [fresh, waiting] = [await newAccount(), await newAccount()];
    await waiting.submit();
    for (const [{ accountId }, verification] of [
      [fresh, "unsubmitted"],
      [waiting, "pending"],
    ] as const) {
      await suspendAccount(staff, { accountId, reason: "fraud" });
      expect(await restoreAccount(staff, { accountId, reason: "cleared" })).toEqual({ accountId, verification });
    }
  });

  it("does not suspend twice: the first reason, its time and the alerts stay, and no line is written", async () => {
    const { accountId } = await newAccount();
    await suspendAccount(staff, { accountId, reason: "The first invoice is open" });
    const [before, lines] = [await getVerification({ accountId }), (await audit(accountId)).length];
    await expect(suspendAccount(staff, { accountId, reason: "The second one" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: "The account is suspended already.",
    });
    expect(await getVerification({ accountId })).toEqual(before);
    expect(await audit(accountId)).toHaveLength(lines);
  });

  it("wants a reason and a suspension", async () => {
    const { accountId } = await newAccount();
    await expect(restoreAccount(staff, { accountId, reason: "x" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: "The account is not suspended.",
    });
    await expect(restoreAccount(staff, { accountId, reason: " " })).rejects.toMatchObject({ param: "reason" });
    await expect(restoreAccount(staff, { accountId: "acc_none", reason: "x" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("what is taken at the edge", () => {
  it("trims company data, takes empty optional fields for absent ones and country codes in either case", () => {
    const company = { ...COMPANY, legalName: " Acme GmbH ", vatId: " ", contactPhone: "", country: "de" };
    expect(companyDataSchema.parse(company)).toEqual(COMPANY);
  });

  it.each([
    ["acme.example", "https://acme.example"],
    [" www.acme.example/about?lang=de ", "https://www.acme.example/about?lang=de"],
    ["http://acme.example", "http://acme.example"],
    ["HTTPS://büro.example", "HTTPS://büro.example"],
    ["пример.рф", "https://пример.рф"],
    ["https://例え.テスト/会社", "https://例え.テスト/会社"],
    ["https://social.example/@acme", "https://social.example/@acme"],
  ])("takes %j as a website", (website, taken) => {
    expect(companyDataSchema.parse({ ...COMPANY, website }).website).toBe(taken);
  });

  it.each([
    ["an empty name", { legalName: "  " }],
    ["a country's name", { country: "Germany" }],
    ["a website on one's own machine", { website: "https://localhost:3000" }],
    ["a word as website", { website: "acme" }],
    ["no website", { website: " " }],
    ["an e-mail address as website", { website: "ann@acme.example" }],
    ["an address with a password as website", { website: "https://:secret@acme.example" }],
    ["a machine's number as website", { website: "http://10.0.0.1" }],
    ["another protocol's address as website", { website: "ftp://acme.example" }],
    ["a script as website", { website: "javascript:alert(1)" }],
    ["an e-mail address without a domain", { contactEmail: "ann" }],
    ["a text too long", { useCase: "x".repeat(2_001) }],
    ["an unknown field", { role: "staff" }],
  ])("refuses %s", (_what, change) => {
    expect(companyDataSchema.safeParse({ ...COMPANY, ...change }).success).toBe(false);
  });

  it("wants words from whoever asks for more or rejects", () => {
    const submissionId = newId("verification");
    const parse = (input: object) => verificationDecisionSchema.safeParse({ submissionId, ...input }).success;
    expect(parse({ decision: "approve" })).toBe(true);
    expect(parse({ decision: "ask" })).toBe(false);
    expect(parse({ decision: "reject", message: "  " })).toBe(false);
    expect(parse({ decision: "ask", fieldMessages: { vatId: "Which?" } })).toBe(true);
    expect(parse({ decision: "ask", fieldMessages: { password: "Which?" } })).toBe(false);
    expect(parse({ decision: "reject", message: "No." })).toBe(true);
  });
});
