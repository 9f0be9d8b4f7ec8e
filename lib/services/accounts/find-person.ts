import type { Prisma, User } from "@/lib/db/generated/client";
import { emailSpellings } from "@/lib/domain/email-address";

/** The person who has an e-mail address, in whichever spelling of its domain; null when nobody has it. */
export async function findPerson(tx: Pick<Prisma.TransactionClient, "user">, email: string): Promise<User | null> {
  const spellings = emailSpellings(email);
  const found = await tx.user.findMany({ where: { email: { in: spellings } } });
  return found.sort((a, b) => spellings.indexOf(a.email) - spellings.indexOf(b.email))[0] ?? null;
}
