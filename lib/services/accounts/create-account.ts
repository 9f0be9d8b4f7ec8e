import { databaseNow } from "@/lib/db/database-now";
import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { invalidField } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { PERMISSIONS } from "@/lib/domain/permissions";
import type { PlanId } from "@/lib/domain/plans";
import { isVisible } from "@/lib/domain/visible-text";
import { createUser, type NewUser, newPassword, normalizeEmail } from "@/lib/services/accounts/create-user";
import { grantCredits } from "@/lib/services/accounts/grant-credits";
import { hashPassword } from "@/lib/services/accounts/hash-password";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertRateLimit } from "@/lib/services/accounts/set-plan";
import { insertApiKey } from "@/lib/services/api-keys/insert-api-key";
import { insertProject } from "@/lib/services/projects/insert-project";

const MAX_COMPANY_NAME_CHARACTERS = 200;

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
  /** Whether a verified one gets its first key at once, for everything. */
  hasKey?: boolean;
}

/** What was created; the password and the key exist nowhere else. */
export interface CreatedAccount {
  accountId: string;
  projectId: string;
  owner: { userId: string; email: string; password: string };
  /** Where one was asked for. */
  apiKey?: string;
}

const FIRST_KEY = { name: "First key", expiresAt: null, creditsPerMonth: null, allowedNetworks: [] };

/**
 * Creates an account with its first project (contract §1), its owner, its first credits and, where it gets one, its first key: all of
 * it or nothing, or there would be one whose password nobody was told.
 * @throws AppError VALIDATION_FAILED when a value is out of range or the e-mail address is taken
 */
export async function createAccount(actor: Actor, input: NewAccount): Promise<CreatedAccount> {
  const companyName = readCompanyName(input.companyName);
  assertRateLimit(input.rateLimitPerMinute);
  const email = normalizeEmail(input.email);
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  return prisma().$transaction(async (tx) => {
    const owner: NewUser = { email, passwordHash, isStaff: false };
    const { accountId, projectId, userId } = await insertAccountWithOwner(tx, actor, { ...input, companyName, owner });
    const created = { accountId, projectId, owner: { userId, email, password } };
    if (!input.hasKey || !input.isVerified) return created;
    const key = { ...FIRST_KEY, permissions: [...PERMISSIONS] };
    const { apiKey } = await insertApiKey(tx, actor, { accountId, projectId }, key, await databaseNow(tx));
    return { ...created, apiKey };
  });
}

/** What a company may call itself. @throws AppError VALIDATION_FAILED */
export function readCompanyName(text: string): string {
  const companyName = text.trim();
  if (!isVisible(companyName) || companyName.length > MAX_COMPANY_NAME_CHARACTERS) {
    throw invalidField("company", `must have 1 to ${MAX_COMPANY_NAME_CHARACTERS} characters`);
  }
  if (/\p{Cc}|\p{Cs}/u.test(companyName)) throw invalidField("company", "must be plain text");
  return companyName;
}

/**
 * Creates all that belongs to a new account, in the caller's transaction.
 * @throws AppError VALIDATION_FAILED when the e-mail address is taken
 */
export async function insertAccountWithOwner(
  tx: Prisma.TransactionClient,
  actor: Actor,
  input: Omit<NewAccount, "email"> & { owner: NewUser },
): Promise<{ accountId: string; projectId: string; userId: string }> {
  const { owner, ...account } = input;
  const userId = await createUser(tx, owner);
  return { ...(await insertAccountOf(tx, actor, userId, account)), userId };
}

/** The same for an owner who is there already. */
export async function insertAccountOf(
  tx: Prisma.TransactionClient,
  actor: Actor,
  userId: string,
  input: Omit<NewAccount, "email">,
): Promise<{ accountId: string; projectId: string }> {
  const { companyName, planId, isVerified, credits } = input;
  const accountId = await insertAccount(tx, companyName, input);
  const { id: projectId } = await insertProject(tx, accountId, "Default");
  await tx.member.create({ data: { accountId, userId, role: "owner" } });
  if (credits !== 0) await grantCredits(tx, actor, { accountId, amount: credits, reason: "Account created" });
  await recordAudit(tx, actor, {
    accountId,
    action: "account.create",
    subject: accountId,
    after: { companyName, planId, isVerified, credits },
  });
  return { accountId, projectId };
}

async function insertAccount(
  tx: Prisma.TransactionClient,
  companyName: string,
  input: Omit<NewAccount, "email">,
): Promise<string> {
  const id = newId("account");
  await tx.account.create({
    data: {
      id,
      companyName,
      planId: input.planId,
      rateLimitPerMinute: input.rateLimitPerMinute ?? null,
      verificationStatus: input.isVerified ? "verified" : "unsubmitted",
      verifiedAt: input.isVerified ? await databaseNow(tx) : null,
    },
  });
  return id;
}
