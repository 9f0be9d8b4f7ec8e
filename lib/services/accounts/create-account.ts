import { randomBytes } from "node:crypto";
import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { invalidField } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import type { PlanId } from "@/lib/domain/plans";
import { sealText } from "@/lib/domain/sealed-text";
import { env } from "@/lib/env";
import { createUser, newPassword, normalizeEmail } from "@/lib/services/accounts/create-user";
import { grantCredits } from "@/lib/services/accounts/grant-credits";
import { hashPassword } from "@/lib/services/accounts/hash-password";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertRateLimit } from "@/lib/services/accounts/set-plan";

const MAX_COMPANY_NAME_CHARACTERS = 200;
const CALLBACK_SECRET_BYTES = 32;

/** What an operator says of a new account. */
export interface NewAccount {
  companyName: string;
  /** Of the owner. */
  email: string;
  isVerified: boolean;
  planId: PlanId;
  /** Whole credits, 0 or more. */
  credits: number;
  /** Requests per key and minute; absent: the plan's. */
  rateLimitPerMinute?: number;
}

/** What was created; the password exists nowhere else. */
export interface CreatedAccount {
  accountId: string;
  projectId: string;
  owner: { userId: string; email: string; password: string };
}

/**
 * Creates an account with its first project (contract §1), its owner and its first credits.
 * @throws AppError VALIDATION_FAILED when a value is out of range or the e-mail address is taken
 */
export async function createAccount(actor: Actor, input: NewAccount): Promise<CreatedAccount> {
  const companyName = input.companyName.trim();
  if (companyName.length < 1 || companyName.length > MAX_COMPANY_NAME_CHARACTERS) {
    throw invalidField("company", `must have 1 to ${MAX_COMPANY_NAME_CHARACTERS} characters`);
  }
  assertRateLimit(input.rateLimitPerMinute);
  const email = normalizeEmail(input.email);
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  return prisma().$transaction(async (tx) => {
    const accountId = await insertAccount(tx, companyName, input);
    const projectId = await insertFirstProject(tx, accountId);
    const userId = await createUser(tx, { email, passwordHash, isStaff: false });
    await tx.member.create({ data: { accountId, userId, role: "owner" } });
    if (input.credits !== 0) {
      await grantCredits(tx, actor, { accountId, amount: input.credits, reason: "Account created" });
    }
    await recordAudit(tx, actor, {
      accountId,
      action: "account.create",
      subject: accountId,
      after: { companyName, planId: input.planId, isVerified: input.isVerified, credits: input.credits },
    });
    return { accountId, projectId, owner: { userId, email, password } };
  });
}

async function insertAccount(tx: Prisma.TransactionClient, companyName: string, input: NewAccount): Promise<string> {
  const id = newId("account");
  await tx.account.create({
    data: {
      id,
      companyName,
      planId: input.planId,
      rateLimitPerMinute: input.rateLimitPerMinute ?? null,
      verificationStatus: input.isVerified ? "verified" : "unsubmitted",
      verifiedAt: input.isVerified ? new Date() : null,
    },
  });
  return id;
}

async function insertFirstProject(tx: Prisma.TransactionClient, accountId: string): Promise<string> {
  const key = env().ENCRYPTION_KEY;
  if (!key) throw new Error("ENCRYPTION_KEY is not set.");
  const id = newId("project");
  const callbackSecret = `whsec_${randomBytes(CALLBACK_SECRET_BYTES).toString("base64")}`;
  await tx.project.create({
    data: { id, accountId, name: "Default", callbackSecretEncrypted: sealText(callbackSecret, key) },
  });
  return id;
}
