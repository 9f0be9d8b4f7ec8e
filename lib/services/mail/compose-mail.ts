import { cutText } from "@/lib/domain/cut-text";
import { env } from "@/lib/env";
import { type MailAction, mailHtml, mailText } from "@/lib/mail/mail-html";
import type { MailMessage } from "@/lib/mail/send-mail";

const MAX_NAME_CHARACTERS = 100;

/** A mail in the form that all have: its subject and its end name the service. */
export function mail(to: string, subject: string, paragraphs: (string | MailAction)[]): MailMessage {
  const { APP_URL, SERVICE_NAME, SUPPORT_CONTACT } = env();
  const support = SUPPORT_CONTACT ?? null;
  const content = { serviceName: SERVICE_NAME, heading: subject, paragraphs, origin: APP_URL, support };
  return { to, subject: `${subject} · ${SERVICE_NAME}`, text: mailText(content), html: mailHtml(content) };
}

/** Whom a mail asks its reader to write to: "the support" where its end names one. */
export function supportWords(): string {
  return env().SUPPORT_CONTACT ? "the support" : "the people who run this service";
}

/** An address of the panel. */
export function link(path: string): string {
  return env().APP_URL + path;
}

/** An address of the panel, about one of the reader's accounts or projects by its id: the panel may show another one. */
export function linkAbout(path: string, id: string): string {
  return link(`${path}?of=${id}`);
}

/** A name that people chose may be anything; it must not become a line or a header of its own, or a link of somebody's choice. */
export function oneLine(text: string): string {
  const words = text.replace(/[\p{C}\s]+/gu, " ").replace(/:\/\/|\bwww\./gi, " ");
  return cutText(words, MAX_NAME_CHARACTERS).trim();
}
