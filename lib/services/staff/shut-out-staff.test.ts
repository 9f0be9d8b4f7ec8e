import { beforeEach, describe, expect, it } from "vitest";
import { seedDelivery } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { addTestStaff } from "@/e2e/support/test-people";
import { whileHeld } from "@/e2e/support/while-held";
import { prisma } from "@/lib/db/prisma";
import { confirmCredits, refuseCredits } from "@/lib/services/accounts/decide-credit-request";
import { disableStaff } from "@/lib/services/accounts/disable-staff";
import { giveCredits } from "@/lib/services/accounts/give-credits";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { restoreAccount } from "@/lib/services/accounts/restore-account";
import { setPlan } from "@/lib/services/accounts/set-plan";
import { setRateLimit } from "@/lib/services/accounts/set-rate-limit";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { withdrawCredits } from "@/lib/services/accounts/withdraw-credits";
import { openPersonSession } from "@/lib/services/people/person-session";
import { askForMore } from "@/lib/services/requests/ask-for-more";
import { declineRequest } from "@/lib/services/requests/decline-request";
import { resendForAccount } from "@/lib/services/staff/resend-for-account";
import { decideVerification } from "@/lib/services/verification/decide-verification";
import { COMPANY } from "@/lib/services/verification/sample-company";
import { submitVerification } from "@/lib/services/verification/submit-verification";

/** What the panel asked at the beginning of a call may be no longer so when the account is free for it. */

interface Staff extends Actor {
  userId: string;
  email: string;
}

interface Place {
  accountId: string;
  /** Of a grant that a colleague asked for. */
  requestId: string;
  submissionId: string;
}

const reason = "Asked for";

const ACTS: [name: string, act: (staff: Staff, place: Place) => Promise<unknown>][] = [
  ["grants credits", (staff, { accountId }) => giveCredits(staff, { accountId, amount: 5, reason })],
  ["confirms a grant", (staff, { requestId }) => confirmCredits(staff, { requestId, reason })],
  ["refuses a grant", (staff, { requestId }) => refuseCredits(staff, { requestId, reason })],
  ["withdraws credits", (staff, { accountId }) => withdrawCredits(staff, { accountId, amount: 5, reason })],
  ["moves it to another plan", (staff, { accountId }) => setPlan(staff, { accountId, planId: "scale", reason })],
  ["sets its rate limit", (staff, { accountId }) => setRateLimit(staff, { accountId, rateLimitPerMinute: 7, reason })],
  ["suspends it", (staff, { accountId }) => suspendAccount(staff, { accountId, reason })],
  [
    "decides its verification",
    (staff, { submissionId }) =>
      decideVerification(staff, { submissionId, decision: "approve", message: undefined, fieldMessages: {} }),
  ],
];

let account: TestAccount;
let staff: Staff;
let place: Place;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount({ credits: 100 });
  const { accountId } = account;
  const [person, colleague] = [await addTestStaff(), await addTestStaff()];
  const browser = { ip: null, userAgent: null };
  const { sessionId } = await prisma().$transaction((tx) =>
    openPersonSession(tx, { userId: person.userId, isStaff: true }, browser),
  );
  staff = { ...person, sessionId };
  await giveCredits(colleague, { accountId, amount: 101, reason }, 100);
  await prisma().account.update({ where: { id: accountId }, data: { verificationStatus: "unsubmitted" } });
  await submitVerification(await ownerOf(account), account, COMPANY);
  const { id: requestId } = await prisma().creditRequest.findFirstOrThrow({ where: { accountId } });
  const { id: submissionId } = await prisma().verificationSubmission.findFirstOrThrow({ where: { accountId } });
  place = { accountId, requestId, submissionId };
});

/** An act of theirs waits for the account, and meanwhile the operator shuts them out. */
async function shutOutMeanwhile(act: () => Promise<unknown>) {
  const [outcome] = await whileHeld(
    {
      statement: "SELECT FROM accounts WHERE id = $1 FOR UPDATE",
      id: account.accountId,
      meanwhile: () => disableStaff(OPERATOR, { email: staff.email, reason: "left us" }),
    },
    act,
  );
  return outcome;
}

describe("a member of staff who was shut out a moment ago", () => {
  it.each(ACTS)("%s of an account no more", async (_name, act) => {
    const before = await prisma().account.findUniqueOrThrow({ where: { id: account.accountId } });
    const outcome = await shutOutMeanwhile(() => act(staff, place));
    const refused = { code: "NOT_FOUND", message: expect.stringContaining("session has ended") };
    expect(outcome).toMatchObject({ status: "rejected", reason: refused });
    expect(await prisma().account.findUniqueOrThrow({ where: { id: account.accountId } })).toEqual(before);
    expect(await prisma().auditEntry.count({ where: { actorId: staff.userId } })).toBe(0);
  });

  it("sends no delivery of it again, and declines nothing that it asks for", async () => {
    const { id: deliveryId } = await seedDelivery({ ...account, url: "https://client.example/hook", status: "failed" });
    await askForMore(await ownerOf(account), account.accountId, { kind: "credits", credits: 5, note: "" });
    const { id: requestId } = await prisma().accountRequest.findFirstOrThrow({
      where: { accountId: account.accountId },
    });
    await disableStaff(OPERATOR, { email: staff.email, reason: "left us" });
    const acts = [resendForAccount(staff, { deliveryId, reason }), declineRequest(staff, { requestId, reason })];
    for (const outcome of await Promise.allSettled(acts)) {
      expect(outcome).toMatchObject({ reason: { message: expect.stringContaining("session has ended") } });
    }
    expect(await prisma().webhookDelivery.findUnique({ where: { id: deliveryId } })).toMatchObject({
      status: "failed",
    });
    expect(await prisma().accountRequest.findUnique({ where: { id: requestId } })).toMatchObject({ state: "open" });
  });

  it("ends no suspension of it", async () => {
    const { accountId } = place;
    await suspendAccount(OPERATOR, { accountId, reason });
    const outcome = await shutOutMeanwhile(() => restoreAccount(staff, { accountId, reason }));
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
    expect(await prisma().account.findUnique({ where: { id: accountId } })).toMatchObject({
      verificationStatus: "suspended",
    });
  });
});
