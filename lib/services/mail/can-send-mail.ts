import { isMailConfigured } from "@/lib/mail/mail-settings";

/** Whether this service sends mails: confirmations, links for new passwords, invitations. */
export function canSendMail(): boolean {
  return isMailConfigured();
}
