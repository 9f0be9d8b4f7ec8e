import type { Prisma } from "@/lib/db/generated/client";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { enqueueMail } from "@/lib/services/mail/enqueue-mail";
import { identityMail } from "@/lib/services/people/mail-texts";

/** Tells a person by mail that another service opens their account from now on, or no longer. */
export async function tellOfIdentity(
  tx: Prisma.TransactionClient,
  ...news: Parameters<typeof identityMail>
): Promise<void> {
  if (isMailConfigured()) await enqueueMail(tx, identityMail(...news));
}
