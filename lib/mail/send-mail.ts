import { createTransport } from "nodemailer";
import { PutOffError } from "@/lib/domain/put-off-error";
import { env } from "@/lib/env";
import { mailServerWords } from "@/lib/mail/mail-server-words";
import { openMailSocket } from "@/lib/mail/mail-socket";
import { processSingleton } from "@/lib/process-singleton";

/** A mail, for one reader. */
export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  /** The same for readers that show HTML; those that builds before this one have sealed have none. */
  html?: string;
}

/** To be reached and to greet. */
const GREETING_MS = 20_000;
/**
 * For each further answer, as RFC 5321 (4.5.3.2) has it. The last one comes when the mail was looked through, minutes later at some
 * servers: to whoever leaves sooner it is a mail that was not taken, to be sent again, while its reader gets one from every try.
 */
const ANSWER_MS = 600_000;

/** Who is away has a machine answer people, not machines: RFC 3834, and Exchange's own word for it. */
const NO_REPLIES = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" };

/** Nobody has the address that a mail is for, and no further try changes that. */
export class NoSuchReceiverError extends Error {}

/** Neither an IP address nor a name of this machine's network. */
const DOMAIN = /\.[a-z][\w-]*$/i;

/** What mail servers say of such an address (RFC 3463); other refusals may be of a relay that is not set up right, and end with that. */
const NO_SUCH_RECEIVER = /^5\d\d[ -]5\.1\.(?:1|2|3|10)\s/;

/**
 * Hands a mail to the server of SMTP_URL.
 * @param id of the mail; becomes its Message-ID
 * @throws NoSuchReceiverError; PutOffError
 */
export async function sendMail(id: string, message: MailMessage): Promise<void> {
  const { APP_URL, SERVICE_NAME, SMTP_FROM, SUPPORT_CONTACT } = env();
  const host = new URL(APP_URL).hostname;
  const mail = {
    from: SMTP_FROM ?? { name: SERVICE_NAME, address: `no-reply@${host}` },
    // As an address of its own, never as a list: a comma in it would be a second receiver.
    to: { name: "", address: message.to },
    ...(SUPPORT_CONTACT?.email && { replyTo: SUPPORT_CONTACT.email }),
    subject: message.subject,
    text: message.text,
    ...(message.html !== undefined && { html: message.html }),
    messageId: `<${id}@${host}>`,
    headers: NO_REPLIES,
  };
  try {
    await transport().sendMail(mail);
  } catch (error) {
    const words = mailServerWords(error).replaceAll(message.to, "the address");
    throw isOfNobody(error) ? new NoSuchReceiverError(words) : new PutOffError(`The mail server of SMTP_URL: ${words}`);
  }
}

function isOfNobody(error: unknown): boolean {
  const { command, response } = error as { command?: unknown; response?: unknown };
  return command === "RCPT TO" && typeof response === "string" && NO_SUCH_RECEIVER.test(response);
}

function transport() {
  return processSingleton("mail-transport", () => {
    const { APP_URL, SMTP_URL } = env();
    if (SMTP_URL === undefined) throw new Error("SMTP_URL is not set.");
    return mailTransport(SMTP_URL, new URL(APP_URL).hostname);
  });
}

/**
 * The way to a mail server.
 * @param ownHost by which the service is known
 */
export function mailTransport(url: string, ownHost: string) {
  return createTransport({
    url,
    // A container has no name that is known outside, and would greet as [127.0.0.1], which relays that look at it refuse.
    ...(DOMAIN.test(ownHost) && { name: ownHost }),
    // What the address itself says of it (?requireTLS=false) goes before this.
    requireTLS: isForTlsAlone(new URL(url)),
    connectionTimeout: GREETING_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: ANSWER_MS,
    getSocket: (place, callback) => {
      openMailSocket(place, GREETING_MS).then((connection) => callback(null, { connection }), callback);
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Whether a mail server gets nothing without TLS: where a password goes over a network, whoever sits in between had only to take
 * the offer of STARTTLS out of the answer to read it.
 */
function isForTlsAlone({ username, hostname }: URL): boolean {
  return username !== "" && !/^(localhost|127\.[\d.]+|\[::1\])$/i.test(hostname);
}
