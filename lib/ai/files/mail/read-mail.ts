import type { AttachedFile, ReadAttached } from "@/lib/ai/files/mail/attached-file";
import { countUnread, markAttached } from "@/lib/ai/files/mail/mark-attached";
import { type ProcessLimits, runReader } from "@/lib/ai/files/reader/run-reader";
import { isOfDos } from "@/lib/ai/files/text/decode-bytes";
import { decodeText } from "@/lib/ai/files/text/decode-text";
import { findEncoding } from "@/lib/ai/files/text/find-encoding";
import { htmlToText } from "@/lib/ai/files/text/html-to-text";
import { takePace } from "@/lib/give-way";

export interface MailText {
  text: string;
  /** What came along with it and is not read. */
  skipped: { pictures?: number; embeddedFiles?: number };
}

interface FoundMails {
  /** Each is followed by those in it. */
  mails: { fields: string; page: string | Uint8Array; text: string; isAttached: boolean; calendars: string[] }[];
  pictures: number;
  attachments: AttachedFile[];
  /** Bytes of texts that state no charset, and are no UTF-8. */
  undeclared?: Uint8Array;
}

/**
 * A mail, or a message as Outlook saves it, as people read it: who wrote what to whom and when, then its text and invitations, then mails in it, then the texts of attached files. Of a text that comes as plain text and as a
 * page, it is the page. A mailbox is its mails one behind the other. Read in a bounded process, like documents.
 * @param readAttached without it, attached files are named only
 * @returns undefined when it is no mail after all, or its parts or fields exceed all measure
 * @throws TurnError UNSUPPORTED_FILE when it exceeds the limits; the signal's own reason when it ends the reading
 */
export async function readMail(
  bytes: Uint8Array,
  limits: ProcessLimits,
  readAttached: ReadAttached = async (files) => files.map(({ name }) => ({ name })),
): Promise<MailText | undefined> {
  let found = await findMails(bytes, limits);
  const charset = found?.undeclared && findEncoding(found.undeclared, true);
  // UTF-8 with a broken character, too: the bytes alone tell it from Windows-1252.
  if (charset && !isOfDos(charset)) found = await findMails(bytes, limits, charset);
  if (!found) return undefined;
  const { mails, pictures, attachments } = found;
  let text = "";
  const pace = takePace();
  for (const mail of mails) {
    if (pace.isDue()) await pace.giveWay();
    const before = mail.isAttached ? "\n\n[Attached mail]\n" : "\n\n---\n\n";
    text += (text === "" ? "" : before) + (await textOf(mail));
  }
  const attached = await readAttached(attachments);
  const unread = countUnread(attached);
  return {
    text: text + markAttached(attached),
    skipped: { ...(pictures > 0 && { pictures }), ...(unread > 0 && { embeddedFiles: unread }) },
  };
}

async function findMails(bytes: Uint8Array, limits: ProcessLimits, charset?: string): Promise<FoundMails | undefined> {
  const report = await runReader<FoundMails, "broken">({
    worker: "mail/mail-worker.mjs",
    source: bytes,
    options: { charset },
    limits,
    tooMuchMessage: "The mail could not be read: it is damaged or too complex.",
  });
  return "failure" in report ? undefined : report.result;
}

/** A page says more than the plain text beside it, unless there is nothing on it. */
async function textOf({ fields, page, text, calendars }: FoundMails["mails"][number]): Promise<string> {
  const shown = page.length === 0 ? "" : await htmlToText(typeof page === "string" ? page : decodePage(page));
  // Their long lines go on behind a line's end and a blank.
  const invitations = calendars.map((calendar) => `[Calendar]\n${calendar.replace(/\r?\n[ \t]/g, "")}`);
  return [fields, (shown || text).trim(), ...invitations].join("\n\n").trim();
}

/** Of a page that a message holds as bytes. */
function decodePage(bytes: Uint8Array): string {
  return decodeText(bytes, findEncoding(bytes, true) ?? "windows-1252");
}
