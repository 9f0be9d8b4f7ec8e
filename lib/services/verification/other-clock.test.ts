import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { onOtherClock } from "@/e2e/support/other-clock";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createAccount } from "@/lib/services/accounts/create-account";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { restoreAccount } from "@/lib/services/accounts/restore-account";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { verifyAccount } from "@/lib/services/accounts/verify-account";
import { listAudit } from "@/lib/services/audit/list-audit";
import { decideVerification } from "@/lib/services/verification/decide-verification";
import { getVerification } from "@/lib/services/verification/get-verification";
import { COMPANY } from "@/lib/services/verification/sample-company";
import { submitVerification } from "@/lib/services/verification/submit-verification";

const HOUR_MS = 3_600_000;
const AHEAD_HOURS = 2;

useServiceDatabase();

async function newAccount(): Promise<{ accountId: string; owner: Actor }> {
  const email = `owner-${randomUUID()}@acme.example`;
  const company = { companyName: "Acme", email, isVerified: false, planId: "free", credits: 0 } as const;
  const { accountId, owner } = await createAccount(OPERATOR, company);
  return { accountId, owner: { kind: "owner", userId: owner.userId } };
}

it("knows what was handed in last, also after a machine whose clock is ahead", async () => {
  const { accountId, owner } = await newAccount();
  const submit = () => submitVerification(owner, { accountId }, COMPANY);
  const [first] = (await onOtherClock(AHEAD_HOURS, submit)).submissions;
  const due = Date.parse(first?.dueAt ?? "");
  expect(Math.abs(due - Date.now() - 48 * HOUR_MS)).toBeLessThan(HOUR_MS);
  const ask = {
    submissionId: first?.id ?? "",
    decision: "ask" as const,
    message: "Which register?",
    fieldMessages: {},
  };
  await onOtherClock(AHEAD_HOURS, () => decideVerification(OPERATOR, ask));
  const handedIn = (await submit()).submissions;
  expect(handedIn.map(({ status }) => status)).toEqual(["pending", "more_info"]);
  await verifyAccount(OPERATOR, { accountId });
  const { submissions } = await getVerification({ accountId });
  expect(submissions.map(({ status }) => status)).toEqual(["approved", "more_info"]);
});

it("says why an account is suspended now, not why it was before on a machine whose clock is ahead", async () => {
  const { accountId } = await newAccount();
  await onOtherClock(AHEAD_HOURS, () => suspendAccount(OPERATOR, { accountId, reason: "Unpaid." }));
  await restoreAccount(OPERATOR, { accountId, reason: "Paid." });
  await suspendAccount(OPERATOR, { accountId, reason: "Abuse." });
  expect((await getVerification({ accountId })).suspension?.reason).toBe("Abuse.");
});

it("keeps lines of the audit log in the order of what was done, whichever machine did it", async () => {
  const { accountId } = await newAccount();
  await onOtherClock(AHEAD_HOURS, () => suspendAccount(OPERATOR, { accountId, reason: "Unpaid." }));
  await onOtherClock(-AHEAD_HOURS, () => restoreAccount(OPERATOR, { accountId, reason: "Paid." }));
  const { data } = await listAudit({ accountId }, { limit: 2 });
  expect(data.map(({ action }) => action)).toEqual(["account.restore", "account.suspend"]);
});
