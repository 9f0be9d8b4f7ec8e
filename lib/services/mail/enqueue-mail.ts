import type { Prisma } from "@/lib/db/generated/client";
import { enqueueEvents } from "@/lib/db/outbox";
import type { Transaction } from "@/lib/db/pool";
import { withinPrisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import type { MailMessage } from "@/lib/mail/send-mail";
import type { MailRequest } from "@/lib/services/mail/mail-request";
import { sealSecret } from "@/lib/services/people/sealed-secret";

/** What a mail says is of no use any more after so long: it is not sent, and not kept. */
export const MAIL_DAYS = 3;

/**
 * Has a mail sent once the caller's transaction commits, and again until the mail server takes it. Wake the relay after
 * the commit (`wakeRelay`); without, the mail waits for the relay's next look.
 * @param mail what it says; or what was asked for, and the mail is made when its turn comes
 */
export function enqueueMail(tx: Prisma.TransactionClient, mail: MailMessage | MailRequest): Promise<void> {
  return enqueueMails(tx, [mail]);
}

/** As `enqueueMail`, of mails to many: two statements, however many they are, for a transaction of Prisma's has its time. */
export function enqueueMails(
  tx: Prisma.TransactionClient,
  mails: readonly (MailMessage | MailRequest)[],
): Promise<void> {
  return enqueueMailsWithin(withinPrisma(tx), mails);
}

/** As `enqueueMails`, in a transaction of the pool's. */
export async function enqueueMailsWithin(
  tx: Transaction,
  mails: readonly (MailMessage | MailRequest)[],
): Promise<void> {
  if (mails.length === 0) return;
  const ids = mails.map(() => newId("mail"));
  const values = [ids, mails.map((mail) => sealSecret(JSON.stringify(mail)))];
  await tx.query({ text: "INSERT INTO mails (id, sealed) SELECT * FROM unnest($1::text[], $2::text[])", values });
  await enqueueEvents(
    tx,
    ids.map((mailId) => ({ name: "mail/ready", data: { mailId } })),
  );
}

/** As `enqueueMail`, for what somebody is told beside what they see; where no mail can be sent, they are not. */
export async function tellByMail(tx: Prisma.TransactionClient, mail: MailMessage): Promise<void> {
  if (isMailConfigured()) await enqueueMail(tx, mail);
}
