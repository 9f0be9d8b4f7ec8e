import { databaseNow } from "@/lib/db/database-now";
import type { Prisma } from "@/lib/db/generated/client";
import { hashSecretToken, isSecretToken, newSecretToken } from "@/lib/domain/secret-token";

/** What a one-time token is for, and for how long it works. */
const LIFETIME_SECONDS = {
  "reset-password": 3_600,
  "confirm-email": 3 * 86_400,
  "change-email": 3_600,
  /** After the sign-in of that other service, until the code of the authenticator comes. */
  "second-step-google": 300,
  "second-step-github": 300,
} as const;

/** Every purpose of a ticket for the second step. */
export const SECOND_STEPS = ["second-step-google", "second-step-github"] as const satisfies TokenPurpose[];

type TokenPurpose = keyof typeof LIFETIME_SECONDS;

/**
 * Makes a token of that purpose; older ones of the person no longer work. It exists nowhere else.
 * @param email of "change-email": the address that it makes the person's own
 */
export async function issueUserToken(
  tx: Prisma.TransactionClient,
  userId: string,
  purpose: TokenPurpose,
  email: string | null = null,
): Promise<string> {
  const token = newSecretToken();
  const now = await databaseNow(tx);
  await tx.userToken.deleteMany({ where: { userId, purpose } });
  await tx.userToken.create({
    data: {
      tokenHash: hashSecretToken(token),
      userId,
      purpose,
      email,
      createdAt: now,
      expiresAt: new Date(now.getTime() + LIFETIME_SECONDS[purpose] * 1_000),
    },
  });
  return token;
}

/** Whose token it is while it works; null otherwise. Leaves it as it is. */
export async function findTokenOwner(
  tx: Prisma.TransactionClient,
  token: string,
  purpose: TokenPurpose,
): Promise<string | null> {
  if (!isSecretToken(token)) return null;
  const expiresAt = { gt: await databaseNow(tx) };
  const row = await tx.userToken.findFirst({
    where: { tokenHash: hashSecretToken(token), purpose, usedAt: null, expiresAt },
  });
  return row?.userId ?? null;
}

/** Uses a token up: works once, also when it comes twice at the same time. Null when it does not work (any more). */
export async function takeUserToken(
  tx: Prisma.TransactionClient,
  token: string,
  purpose: TokenPurpose,
): Promise<string | null> {
  const userId = await findTokenOwner(tx, token, purpose);
  if (userId === null) return null;
  // The person before their token, as what changes or shuts out a person and then deletes their tokens.
  await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
  const { count } = await tx.userToken.updateMany({
    where: { tokenHash: hashSecretToken(token), usedAt: null },
    data: { usedAt: new Date() },
  });
  return count === 1 ? userId : null;
}

/**
 * Whose token it was, and its address, when it has done its work and would still be good: whoever used it and was left without
 * the answer uses it once more.
 */
export async function findUsedToken(
  tx: Prisma.TransactionClient,
  token: string,
  purpose: TokenPurpose,
): Promise<{ userId: string; email: string | null } | null> {
  if (!isSecretToken(token)) return null;
  const expiresAt = { gt: await databaseNow(tx) };
  return tx.userToken.findFirst({
    where: { tokenHash: hashSecretToken(token), purpose, usedAt: { not: null }, expiresAt },
    select: { userId: true, email: true },
  });
}

/** Uses a "change-email" token up, as `takeUserToken`: whose it is, and the address that it is for. */
export async function takeEmailToken(
  tx: Prisma.TransactionClient,
  token: string,
): Promise<{ userId: string; email: string } | null> {
  const userId = await takeUserToken(tx, token, "change-email");
  if (userId === null) return null;
  const row = await tx.userToken.findUnique({ where: { tokenHash: hashSecretToken(token) } });
  return row?.email ? { userId, email: row.email } : null;
}
