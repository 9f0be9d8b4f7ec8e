import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { createUser } from "@/lib/services/accounts/create-user";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { verifyAccount } from "@/lib/services/accounts/verify-account";
import { listAlerts } from "@/lib/services/alerts/list-alerts";
import { authenticateKey } from "@/lib/services/api-keys/authenticate-key";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { openSecret } from "@/lib/services/people/sealed-secret";
import { decideVerification } from "@/lib/services/verification/decide-verification";
import { getVerification } from "@/lib/services/verification/get-verification";
import { listVerifications } from "@/lib/services/verification/list-verifications";
import { COMPANY } from "@/lib/services/verification/sample-company";

const PAGE = { limit: 20, offset: 0 };

import { auditOf, newAccount, useVerificationStage } from "@/e2e/support/verification-stage";

const stage = useVerificationStage();
const { decide } = stage;

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
    expect((await auditOf(accountId)).at(-2)).toMatchObject({
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
    expect((await auditOf(accountId)).at(-1)).toMatchObject({
      before: { verification: "pending" },
      after: { verification: "verified" },
    });
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
    await decideVerification(stage.staff, {
      submissionId: first.id,
      decision: "ask",
      message: undefined,
      fieldMessages: { vatId: "Give the VAT id.", city: undefined },
    });
    expect(await getVerification({ accountId })).toMatchObject({ status: "more_info", canSubmit: true });
    expect((await auditOf(accountId)).at(-1)).toMatchObject({
      action: "verification.ask",
      reason: null,
      after: { verification: "more_info", fields: ["vatId"] },
    });
    expect((await listAlerts({ accountId }, PAGE)).data).toMatchObject([{ kind: "verification.more_info" }]);

    await (await newAccount()).submit({ ...COMPANY, city: "Bonn" });
    const verification = await submit({ ...COMPANY, vatId: "DE123456789" });
    expect(verification.submissions).toMatchObject([
      { status: "pending", company: { vatId: "DE123456789" } },
      { id: first.id, status: "more_info", fieldMessages: { vatId: "Give the VAT id." } },
    ]);
    expect(verification.submissions[1]?.fieldMessages).toEqual({ vatId: "Give the VAT id." });
    expect((await listAlerts({ accountId }, PAGE)).data).toEqual([]);
    expect((await auditOf(accountId)).at(-1)).toMatchObject({ after: { changed: ["vatId"] } });
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
    expect((await auditOf(accountId)).at(-1)).toMatchObject({ reason: "The register does not know this number." });
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
    const decisions = (await auditOf(accountId)).filter(({ action }) => /approve|reject/.test(action));
    expect(decisions).toHaveLength(1);
  });

  it("is not made once more by a colleague, who learns of the first", async () => {
    const { userId } = await createStaff(OPERATOR, { email: "colleague@service.example" });
    const { submit, current } = await newAccount();
    await submit();
    const submission = { submissionId: (await current()).id, decision: "approve", fieldMessages: {} } as const;
    await decideVerification(stage.staff, submission);
    await decideVerification(stage.staff, submission);
    await expect(decideVerification({ kind: "staff", userId }, submission)).rejects.toMatchObject({
      message: expect.stringContaining("staff@service.example approved it"),
    });
  });

  it("ends the news before it, also when the operator verifies the account, and no other alert", async () => {
    const { accountId, submit, current } = await newAccount();
    const other = { kind: "webhook.failed", accountId, message: "It fails." };
    await prisma().alert.create({ data: { id: newId("alert"), ...other } });
    const theirs = await newAccount();
    await verifyAccount(OPERATOR, theirs);
    await submit();
    await decide((await current()).id, "ask", "Who is behind this?");
    await verifyAccount(OPERATOR, { accountId });
    const open = await prisma().alert.findMany({ where: { accountId, resolvedAt: null }, orderBy: { kind: "asc" } });
    expect(open.map(({ kind }) => kind)).toEqual(["verification.approved", "webhook.failed"]);
    expect((await listAlerts(theirs, PAGE)).data).toHaveLength(1);
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
    await suspendAccount(stage.staff, { accountId, reason: "fraud" });
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
    await suspendAccount(stage.staff, { accountId: accounts[2]?.accountId ?? "", reason: "fraud" });

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
    const listed = [...first.data, ...second.data].map(({ accountId, isOverdue }) => [accountId, isOverdue]);
    expect(listed, "nor is any of it overdue").toEqual(
      accounts.map(({ accountId }) => [accountId, false]).toReversed(),
    );
  });
});
