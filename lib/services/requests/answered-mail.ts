import type { AccountRequest } from "@/lib/db/generated/client";
import { wantedWords } from "@/lib/domain/wanted-words";
import type { MailMessage } from "@/lib/mail/send-mail";
import { linkAbout, mail, oneLine } from "@/lib/services/mail/compose-mail";

type Answered = Pick<AccountRequest, "accountId" | "state" | "credits" | "planId"> & { companyName: string };

/**
 * The mail about a request that was answered. What staff wrote stays in the panel: mails are read on the way.
 * @param given what came of it, in credits, where it was granted; it may be other than what was asked for
 */
export function answeredMail(to: string, request: Answered, given?: number): MailMessage {
  const company = oneLine(request.companyName);
  const wanted = wantedWords(request);
  const page = { name: "Look at it", href: linkAbout("/panel/settings/plan", request.accountId) };
  if (request.state === "declined") {
    return mail(to, `Your request was declined: ${company}`, [
      `${company} asked for ${wanted}. The request was declined; read why in the panel:`,
      page,
    ]);
  }
  const what = given === undefined ? wanted : wantedWords({ credits: given });
  const subject = given === undefined ? `The plan was changed: ${company}` : `Credits were added: ${company}`;
  const text = given === undefined ? `${company} has ${what} now.` : `${company} was given ${what}.`;
  return mail(to, subject, [`${text} It had asked for ${wanted}.`, page]);
}
