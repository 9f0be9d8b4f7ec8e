import { prisma } from "@/lib/db/prisma";
import { log } from "@/lib/log";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { type MailMessage, sendMail } from "@/lib/mail/send-mail";
import { openSecret } from "@/lib/services/people/sealed-secret";

/**
 * Hands a mail to the mail server and forgets it. The mail's id is its Message-ID, so that one that is handed over twice,
 * after a crash in between, shows once.
 * @throws Error when the mail server does not take it; to be tried again
 */
export async function deliverMail(mailId: string): Promise<"sent" | "gone"> {
  const mail = await prisma().mail.findUnique({ where: { id: mailId } });
  if (!mail) return "gone";
  if (isMailConfigured()) await sendMail(mailId, JSON.parse(openSecret(mail.sealed)) as MailMessage);
  await prisma().mail.deleteMany({ where: { id: mailId } });
  return "sent";
}

/** Gives a mail up that no try could send: what it holds is not kept. */
export async function giveUpMail(mailId: string): Promise<void> {
  const { count } = await prisma().mail.deleteMany({ where: { id: mailId } });
  if (count > 0) log("error", "A mail could not be sent and was given up.", { mailId });
}
