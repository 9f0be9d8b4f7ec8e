import { prisma } from "@/lib/db/prisma";
import { PutOffError } from "@/lib/domain/put-off-error";
import { log } from "@/lib/log";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { type MailMessage, NoSuchReceiverError, sendMail } from "@/lib/mail/send-mail";
import type { MailRequest } from "@/lib/services/mail/mail-request";
import { makeAskedMail } from "@/lib/services/people/make-asked-mail";
import { openSecret, sealSecret } from "@/lib/services/people/sealed-secret";

/**
 * Hands a mail to the mail server and forgets it, also where nobody has its address: mail servers count against a sender who tries
 * such a one again and again. The mail's id is its Message-ID, so that one that is handed over twice,
 * after a crash in between, shows once.
 * @throws Error when the mail server does not take it; to be tried again
 */
export async function deliverMail(mailId: string): Promise<"sent" | "refused" | "gone"> {
  const message = await openMail(mailId);
  if (message === null) return "gone";
  const outcome = isMailConfigured() ? await send(mailId, message) : "sent";
  await prisma().mail.deleteMany({ where: { id: mailId } });
  return outcome;
}

async function send(mailId: string, message: MailMessage): Promise<"sent" | "refused"> {
  try {
    await sendMail(mailId, message);
    return "sent";
  } catch (error) {
    // No alarm: servers that do not know a sender yet put the first try off, and one that is away is told of when it costs a mail.
    if (error instanceof PutOffError) log("warn", "A mail was not taken.", { mailId, reason: error.message });
    if (!(error instanceof NoSuchReceiverError)) throw error;
    log("warn", "A mail was given up: nobody has its address.", { mailId, reason: error.message });
    return "refused";
  }
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
