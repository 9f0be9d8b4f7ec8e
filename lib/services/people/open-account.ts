import type { Prisma } from "@/lib/db/generated/client";
import { newId } from "@/lib/domain/ids";
import { SIGN_UP_CREDITS, SIGN_UP_PLAN } from "@/lib/domain/plans";
import { insertAccountWithOwner } from "@/lib/services/accounts/create-account";
import type { Actor } from "@/lib/services/accounts/record-audit";

interface NewCompany {
  companyName: string;
  email: string;
  /** Null: the person comes through another service. */
  passwordHash: string | null;
  name?: string;
  ip: string | null;
}

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
    companyName,
    isVerified: false,
    planId: SIGN_UP_PLAN,
    credits: SIGN_UP_CREDITS,
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
