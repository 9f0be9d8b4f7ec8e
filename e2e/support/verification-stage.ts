import { randomUUID } from "node:crypto";
import { beforeAll } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import type { CompanyData } from "@/lib/contracts/verification";
import { db } from "@/lib/db/pool";
import { createAccount } from "@/lib/services/accounts/create-account";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { decideVerification } from "@/lib/services/verification/decide-verification";
import { getVerification } from "@/lib/services/verification/get-verification";
import { COMPANY } from "@/lib/services/verification/sample-company";
import { submitVerification } from "@/lib/services/verification/submit-verification";

/** A database with somebody of staff, who decides about companies. */
interface VerificationStage {
  readonly staff: Actor;
  decide(
    submissionId: string,
    decision: "approve" | "ask" | "reject",
    message?: string,
  ): ReturnType<typeof decideVerification>;
}

export function useVerificationStage(): VerificationStage {
  let staff: Actor;
  useServiceDatabase({ SMTP_URL: "smtp://127.0.0.1:1", APP_URL: "https://service.example" });
  beforeAll(async () => {
    const { userId } = await createStaff(OPERATOR, { email: "staff@service.example" });
    staff = { kind: "staff", userId };
  });
  return {
    get staff() {
      return staff;
    },
    decide: (submissionId, decision, message) =>
      decideVerification(staff, { submissionId, decision, message, fieldMessages: {} }),
  };
}

/** An account that is not verified, with what its owner hands in. */
export async function newAccount() {
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

export async function auditOf(accountId: string) {
  const { rows } = await db().query(
    "SELECT action, reason, before, after, actor_kind AS actor FROM audit_log WHERE account_id = $1 ORDER BY id",
    [accountId],
  );
  return rows;
}
