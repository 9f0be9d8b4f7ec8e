import { htmlToText } from "@/lib/ai/files/html-to-text";
import { decodeBody, decodeWords, type MailPart, readMailPart, splitParts } from "@/lib/ai/files/mail-parts";

export interface MailText {
  text: string;
  /** What came along with it and is not read. */
  skipped: { pictures?: number; embeddedFiles?: number };
}

/** Parts in parts; deeper ones are left out. */
const MAX_DEPTH = 10;

/**
 * A mail as people read it: who wrote what to whom and when, then its text, then mails in it; attachments by their names. Of a
 * text that comes as plain text and as a page, it is the page.
 */
export async function mailToText(bytes: Uint8Array): Promise<MailText> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const found: Found = { pictures: 0, attachments: [] };
  const text = await readMail(source.replace(/^From [^\n]*\n/, ""), found, 0);
  const { pictures, attachments } = found;
  const list = attachments.length === 0 ? "" : `\n\n[Attachments, not here]\n${attachments.join("\n")}`;
  return {
    text: text + list,
    skipped: {
      ...(pictures > 0 && { pictures }),
      ...(attachments.length > 0 && { embeddedFiles: attachments.length }),
    },
  };
}

/** Whether a text begins as mails do: with the fields of one, and such as only machines write. */
export function looksLikeMail(text: string): boolean {
  const head = /^(?:From [^\n]*\n)?((?:[!-9;-~]{1,100}:[^\n]*\n(?:[ \t][^\n]*\n)*)+)\n/.exec(text)?.[1];
  if (head === undefined) return false;
  return /^From:/im.test(head) && /^(MIME-Version|Received|Message-ID|Return-Path):/im.test(head);
}

interface Found {
  pictures: number;
  attachments: string[];
}

const SHOWN_HEADERS = ["From", "Reply-To", "To", "Cc", "Bcc", "Date", "Subject"];

async function readMail(source: string, found: Found, depth: number): Promise<string> {
  const mail = readMailPart(source);
  const lines = SHOWN_HEADERS.map((name) => [name, decodeWords(mail.headers.get(name.toLowerCase()) ?? "")])
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}: ${value}`);
  return `${lines.join("\n")}\n\n${await readPart(mail, found, depth)}`.trim();
}

async function readPart(part: MailPart, found: Found, depth: number): Promise<string> {
  const { type, boundary, isAttachment, fileName } = part;
  if (depth > MAX_DEPTH) return "";
  if (type.startsWith("multipart/") && boundary) return readParts(part, boundary, found, depth);
  if (type === "message/rfc822") return `[Attached mail]\n${await readMail(part.body, found, depth + 1)}`;
  if (!isAttachment && type === "text/html") return htmlToText(decodeBody(part));
  if (!isAttachment && (type.startsWith("text/") || type === "")) return decodeBody(part).trim();
  if (!isAttachment && type.startsWith("image/")) found.pictures += 1;
  // Signatures of senders say nothing.
  else if (!type.endsWith("-signature")) found.attachments.push(decodeWords(fileName) || `(${type})`);
  return "";
}

async function readParts({ type, body }: MailPart, boundary: string, found: Found, depth: number): Promise<string> {
  const parts = splitParts(body, boundary).map(readMailPart);
  if (type !== "multipart/alternative") {
    const texts: string[] = [];
    for (const part of parts) texts.push(await readPart(part, found, depth + 1));
    return texts.filter(Boolean).join("\n\n");
  }
  // The last is the one that says most; what comes with the others came with it.
  for (const part of parts.reverse()) {
    const text = await readPart(part, found, depth + 1);
    if (text !== "" && part.type !== "text/calendar") return text;
  }
  return "";
}
