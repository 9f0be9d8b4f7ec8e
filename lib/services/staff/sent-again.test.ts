import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import type { PlanId } from "@/lib/domain/plans";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { confirmCredits, refuseCredits } from "@/lib/services/accounts/decide-credit-request";
import { giveCredits } from "@/lib/services/accounts/give-credits";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { setPlan } from "@/lib/services/accounts/set-plan";
import { setRateLimit } from "@/lib/services/accounts/set-rate-limit";
import { withdrawCredits } from "@/lib/services/accounts/withdraw-credits";
import { checkBooks } from "@/lib/services/credits/check-books";
import { createOnce } from "@/lib/services/idempotency/create-once";
import { findFirstProject } from "@/lib/services/projects/find-project";
import { decideVerification } from "@/lib/services/verification/decide-verification";
import { COMPANY } from "@/lib/services/verification/sample-company";
import { submitVerification } from "@/lib/services/verification/submit-verification";

/** Staff whose first press got no answer press again, with all as it was. */

const LIMIT = 100;
const ATTEMPT = "0123456789abcdef";

let account: TestAccount;
let [ann, ben] = ["", ""];
const by = (userId: string) => ({ kind: "staff", userId }) as const;

useServiceDatabase();

beforeAll(async () => {
  ({ userId: ann } = await createStaff(OPERATOR, { email: "ann@service.example" }));
  ({ userId: ben } = await createStaff(OPERATOR, { email: "ben@service.example" }));
});

beforeEach(async () => {
  account = await createTestAccount({ credits: 10 });
});

const linesOf = (action: string) => prisma().auditEntry.count({ where: { accountId: account.accountId, action } });
const balance = async () => (await checkBooks(account.accountId)).balance;

describe("credits", () => {
  const send = async (amount: number, attempt: string, act: typeof give) => {
    const input = { accountId: account.accountId, amount, reason: "Paid by invoice" };
    return createOnce(await findFirstProject(account.accountId), attempt, input, (claim) => act(input, claim));
  };
  type Send = Parameters<typeof createOnce<unknown>>[3];
  const give = (input: Parameters<typeof giveCredits>[1], claim: Parameters<Send>[0]): Promise<unknown> =>
    giveCredits(by(ann), input, LIMIT, claim);
  const withdraw: typeof give = (input, claim) => withdrawCredits(by(ann), input, claim);

  it("are granted once, and twice when they are meant to be", async () => {
    expect(await send(20, ATTEMPT, give)).toEqual({ isWaiting: false });
    expect(await send(20, ATTEMPT, give)).toEqual({ isWaiting: false });
    expect(await balance()).toBe(30);
    await send(20, "another-attempt-of-it", give);
    expect(await balance()).toBe(50);
  });

  it("wait for a second person once", async () => {
    expect(await send(101, ATTEMPT, give)).toEqual({ isWaiting: true });
    expect(await send(101, ATTEMPT, give)).toEqual({ isWaiting: true });
    expect(await prisma().creditRequest.count({ where: { accountId: account.accountId } })).toBe(1);
  });

  it("are withdrawn once, and may be asked for again where they were refused", async () => {
    await expect(send(11, ATTEMPT, withdraw)).rejects.toMatchObject({ param: "amount" });
    await expect(send(11, ATTEMPT, withdraw)).rejects.toMatchObject({ param: "amount" });
    await send(4, ATTEMPT, withdraw);
    await send(4, ATTEMPT, withdraw);
    expect(await balance()).toBe(6);
  });
});

it.each([
  ["confirmed", confirmCredits, refuseCredits],
  ["refused", refuseCredits, confirmCredits],
])("a grant that they %s themselves is no error; anything else about it is", async (state, decide, other) => {
  await giveCredits(by(ann), { accountId: account.accountId, amount: 101, reason: "Paid by invoice" }, LIMIT);
  const { id: requestId } = await prisma().creditRequest.findFirstOrThrow({ where: { accountId: account.accountId } });
  await decide(by(ben), { requestId, reason: "Looked it up" });
  await decide(by(ben), { requestId, reason: "Looked it up" });
  expect(await balance()).toBe(state === "confirmed" ? 111 : 10);
  expect((await linesOf("account.confirm-credits")) + (await linesOf("account.refuse-credits"))).toBe(1);
  await expect(decide(by(ben), { requestId, reason: "Another reason" })).rejects.toThrow(`${state} already`);
  await expect(other(by(ben), { requestId, reason: "Looked it up" })).rejects.toThrow(`${state} already`);
});

it("a verification that they decided themselves is no error; another decision, or another person's, is", async () => {
  await prisma().account.update({
    where: { id: account.accountId },
    data: { verificationStatus: "unsubmitted", verifiedAt: null },
  });
  await submitVerification(await ownerOf(account), account, COMPANY);
  const { id: submissionId } = await prisma().verificationSubmission.findFirstOrThrow({
    where: { accountId: account.accountId },
  });
  const ask = { submissionId, decision: "ask", fieldMessages: { website: "Which?", city: "Which?" } } as const;
  await decideVerification(by(ann), { ...ask, message: undefined });
  expect(await decideVerification(by(ann), { ...ask, message: undefined })).toMatchObject({ status: "more_info" });
  expect(await linesOf("verification.ask")).toBe(1);
  for (const [userId, decision] of [
    [ben, { ...ask, message: undefined }],
    [ann, { ...ask, message: "And more." }],
    [ann, { ...ask, message: undefined, fieldMessages: { website: "Which?" } }],
    [ann, { submissionId, decision: "approve", message: undefined, fieldMessages: {} }],
  ] as const) {
    await expect(decideVerification(by(userId), decision)).rejects.toThrow("ann@service.example asked for more");
  }
});

it("a plan and a rate limit that are so already write no further line", async () => {
  const { accountId } = account;
  for (const _press of [1, 2]) {
    await setPlan(by(ann), { accountId, planId: "scale", reason: "Signed" });
    await setRateLimit(by(ann), { accountId, rateLimitPerMinute: 7, reason: "Load test" });
  }
  expect([await linesOf("account.set-plan"), await linesOf("account.set-rate-limit")]).toEqual([1, 1]);
});

describe("of two of the staff at once, whoever is second is told", () => {
  const meanwhile = (words: string) => ({ code: "VALIDATION_FAILED", message: expect.stringContaining(words) });

  it("that the account has another plan by now, and moves it nowhere", async () => {
    const { accountId } = account;
    const move = (userId: string, planId: PlanId, began: PlanId) =>
      setPlan(by(userId), { accountId, planId, began, reason: "Signed" });
    await move(ann, "scale", "growth");
    await expect(move(ben, "starter", "growth")).rejects.toMatchObject(meanwhile("Scale"));
    expect(await move(ben, "scale", "growth")).toMatchObject({ plan: "scale" });
    expect(await move(ben, "starter", "scale")).toMatchObject({ plan: "starter" });
    expect(await linesOf("account.set-plan")).toBe(2);
  });

  it("that the account has another rate limit by now, and leaves it", async () => {
    const { accountId } = account;
    const limit = (userId: string, rateLimitPerMinute: number | null, began: number | null) =>
      setRateLimit(by(userId), { accountId, rateLimitPerMinute, began, reason: "Load test" });
    await limit(ann, 7, null);
    await expect(limit(ben, 9, null)).rejects.toMatchObject(meanwhile("7"));
    await limit(ben, 7, null);
    await limit(ben, null, 7);
    await expect(limit(ann, 9, 7)).rejects.toMatchObject(meanwhile("the plan's"));
    expect(await linesOf("account.set-rate-limit")).toBe(2);
  });
});
