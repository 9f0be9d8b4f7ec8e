import { prisma } from "@/lib/db/prisma";
import { log } from "@/lib/log";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { type MailMessage, sendMail } from "@/lib/mail/send-mail";
import type { MailRequest } from "@/lib/services/mail/mail-request";
import { makeAskedMail } from "@/lib/services/people/make-asked-mail";
import { openSecret, sealSecret } from "@/lib/services/people/sealed-secret";

/**
 * Hands a mail to the mail server and forgets it. The mail's id is its Message-ID, so that one that is handed over twice,
 * after a crash in between, shows once.
 * @throws Error when the mail server does not take it; to be tried again
 */
export async function deliverMail(mailId: string): Promise<"sent" | "gone"> {
  const message = await openMail(mailId);
  if (message === null) return "gone";
  if (isMailConfigured()) await sendMail(mailId, message);
  await prisma().mail.deleteMany({ where: { id: mailId } });
  return "sent";
}

/** What a mail says; one that was asked for is made first, once: every try sends the same. Null: there is none (any more). */
async function openMail(mailId: string): Promise<MailMessage | null> {
  return prisma().$transaction(async (tx) => {
    const mail = await tx.mail.findUnique({ where: { id: mailId } });
    if (!mail) return null;
    const kept = JSON.parse(openSecret(mail.sealed)) as MailMessage | MailRequest;
    if (!("ask" in kept)) return kept;
    const message = await makeAskedMail(tx, kept);
    if (message === null) await tx.mail.deleteMany({ where: { id: mailId } });
    else await tx.mail.update({ where: { id: mailId }, data: { sealed: sealSecret(JSON.stringify(message)) } });
    return message;
  });
}

/** Gives a mail up that no try could send: what it holds is not kept. */
export async function giveUpMail(mailId: string): Promise<void> {
  const { count } = await prisma().mail.deleteMany({ where: { id: mailId } });
  if (count > 0) log("error", "A mail could not be sent and was given up.", { mailId });
}
