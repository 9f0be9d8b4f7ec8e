import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { SIGN_UP_CREDITS, SIGN_UP_PLAN } from "@/lib/domain/plans";
import { insertAccountOf, insertAccountWithOwner, readCompanyName } from "@/lib/services/accounts/create-account";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { lockWithoutAccount } from "@/lib/services/people/lock-without-account";
import { countAttempt } from "@/lib/services/people/throttle-attempts";

interface NewCompany {
  companyName: string;
  email: string;
  /** Null: the person comes through another service. */
  passwordHash: string | null;
  name?: string;
  ip: string | null;
}

/** Nobody vouches for the company (contract §7). */
const BEGINNING = { isVerified: false, planId: SIGN_UP_PLAN, credits: SIGN_UP_CREDITS } as const;

/**
 * Opens an account for a company that nobody vouches for: the free plan, its first credits, a project, and the person as
 * owner (contract §7), in the caller's transaction.
 * @returns the person's id
 * @throws AppError VALIDATION_FAILED naming `email` when it is taken
 */
export async function openAccount(tx: Prisma.TransactionClient, company: NewCompany): Promise<string> {
  const { companyName, email, passwordHash, name, ip } = company;
  const userId = newId("user");
  const actor: Actor = { kind: "owner", userId, ...(ip !== null && { ip }) };
  await insertAccountWithOwner(tx, actor, {
    ...BEGINNING,
    companyName,
    owner: {
      id: userId,
      email,
      passwordHash,
      isStaff: false,
      ...(name !== undefined && { name }),
      // Nobody vouches for the address of somebody who signs up alone, but a service that they came through.
      isEmailConfirmed: passwordHash === null,
    },
  });
  return userId;
}

/**
 * The same for a person who is signed in and belongs to no account any more: whoever was taken off their last team would
 * else need another address to go on. The first credits come with the first account that a person opens.
 * @throws AppError VALIDATION_FAILED for a bad name, and when they belong to an account meanwhile; NOT_FOUND; RATE_LIMITED
 */
export async function openAnotherAccount(
  actor: Actor,
  userId: string,
  company: string,
): Promise<{ accountId: string; projectId: string }> {
  const companyName = readCompanyName(company);
  await countAttempt({ kind: "request", value: actor.ip ?? null });
  return prisma().$transaction(async (tx) => {
    await lockWithoutAccount(tx, actor, userId);
    const credits = await firstCreditsOf(userId, tx);
    return insertAccountOf(tx, actor, userId, { ...BEGINNING, companyName, credits });
  });
}

/** With how many credits an account of theirs begins: else one after the other could be opened, left to somebody, and begun anew. */
export async function firstCreditsOf(userId: string, tx: Prisma.TransactionClient = prisma()): Promise<number> {
  const opened = await tx.auditEntry.findFirst({
    where: { actorId: userId, action: "account.create" },
    select: { id: true },
  });
  return opened === null ? SIGN_UP_CREDITS : 0;
}
