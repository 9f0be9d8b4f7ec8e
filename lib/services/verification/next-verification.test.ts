import { beforeEach, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { decideVerification } from "@/lib/services/verification/decide-verification";
import { getVerification } from "@/lib/services/verification/get-verification";
import { nextVerification } from "@/lib/services/verification/next-verification";
import { COMPANY } from "@/lib/services/verification/sample-company";
import { submitVerification } from "@/lib/services/verification/submit-verification";

const HOUR_MS = 3_600_000;

useServiceDatabase();

beforeEach(async () => {
  await prisma().verificationSubmission.deleteMany();
});

async function waiting(hoursAgo: number): Promise<TestAccount> {
  const account = await createTestAccount();
  await prisma().account.update({
    where: { id: account.accountId },
    data: { verificationStatus: "unsubmitted", verifiedAt: null },
  });
  await submitVerification({ kind: "owner" }, account, COMPANY, new Date(Date.now() - hoursAgo * HOUR_MS));
  return account;
}

async function submissionOf(account: TestAccount) {
  const [submission] = (await getVerification(account)).submissions;
  if (!submission) throw new Error("Nothing was handed in.");
  return submission;
}

const nextAfter = async (account: TestAccount) =>
  (await nextVerification(account.accountId, await submissionOf(account)))?.accountId ?? null;

it("the queue is gone through one by one, each once, from the last back to the first", async () => {
  const [first, second, third] = [await waiting(30), await waiting(20), await waiting(10)];
  expect(await nextAfter(first)).toBe(second.accountId);
  expect(await nextAfter(second)).toBe(third.accountId);
  expect(await nextAfter(third)).toBe(first.accountId);
});

it("what was decided leads on to what waits, and the last one nowhere", async () => {
  const [first, second] = [await waiting(30), await waiting(20)];
  const { id } = await submissionOf(second);
  await decideVerification(OPERATOR, { submissionId: id, decision: "approve", fieldMessages: {} });
  expect(await nextAfter(second)).toBe(first.accountId);
  expect(await nextAfter(first)).toBeNull();
});
