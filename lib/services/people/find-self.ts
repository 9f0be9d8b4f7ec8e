import type { Prisma, User } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/domain/errors";

/**
 * Whoever acts on their own sign-in. They may just have erased themselves in another tab, or gone with their last account.
 * @throws AppError NOT_FOUND when they are gone: their sessions are, too
 */
export async function findSelf(userId: string, on: Prisma.TransactionClient = prisma()): Promise<User> {
  const user = await on.user.findUnique({ where: { id: userId } });
  if (!user) throw new AppError("NOT_FOUND", "Your session has ended. Sign in again.");
  return user;
}
