import type { LeftOut, Skipped, TextKind } from "@/lib/ai/files/file-kinds";
import type { ReadAttached } from "@/lib/ai/files/mail/attached-file";
import { isMailbox, looksLikeWebArchive } from "@/lib/ai/files/mail/looks-like-mail";
import { readMail } from "@/lib/ai/files/mail/read-mail";
import type { ProcessLimits } from "@/lib/ai/files/reader/run-reader";
import { decodeSlowly } from "@/lib/ai/files/text/decode-text";
import { findEncoding } from "@/lib/ai/files/text/find-encoding";
import { htmlToText } from "@/lib/ai/files/text/html-to-text";
import { leaveOutData } from "@/lib/ai/files/text/leave-out-data";
import { MAX_HELD_BYTES, MAX_TEXT_BYTES } from "@/lib/domain/limits";
import { takeTokens } from "@/lib/domain/token-estimate";
import { giveWay } from "@/lib/give-way";

export interface TextInput {
  bytes: Uint8Array;
  /** Whether `bytes` is all of the file. */
  isWhole: boolean;
  /** Of the file, in bytes. */
  size: number;
  kind: TextKind;
  /** As found in the file's beginning. */
  encoding: string;
  contentType: string;
  /** What the model's window takes. */
  maxTokens: number;
  /** Of the process that reads a mail. */
  limits?: ProcessLimits;
  /** Reads the files that came along with a mail; without it they are named only. */
  attached?: { read: ReadAttached; shownTokens: number };
  /** False of a page whose title is none of its own. */
  isTitled?: boolean;
}

export interface ReadText {
  text: string;
  encoding: string;
  /** Records, for tables. */
  rows?: number;
  leftOut?: LeftOut;
  /** What came along with a mail, or stands in the text as data. */
  skipped?: Skipped;
}

/**
 * How many bytes of a text file are worth reading: what fills the window, scripts of wide characters too.
 * @param head its beginning
 */
export function bytesToRead(kind: TextKind, maxTokens: number, head: Uint8Array): number {
  // Most of a page's bytes are markup that is dropped, and most of a mail's, of some invoices and exports are attachments.
  if (kind === "mail" && !isMailbox(head)) return MAX_HELD_BYTES;
  if (kind === "html" || kind === "mail" || kind === "xml" || kind === "json") return MAX_TEXT_BYTES;
  return Math.min(MAX_TEXT_BYTES, maxTokens * MAX_BYTES_PER_TOKEN + DETECTION_MARGIN_BYTES);
}

/** The text of a text file, cut at a line's end when the model's window is full. Lets others work between its steps. */
export async function readText(input: TextInput): Promise<ReadText> {
  await giveWay();
  const encoding = settleEncoding(input);
  await giveWay();
  const { text: full, skipped } = await toText(input, encoding);
  await giveWay();
  const text = cutToTokens(full, Math.max(1, input.maxTokens - (input.attached?.shownTokens ?? 0)));
  await giveWay();
  const leftOut = describeLeftOut(input, full.length - text.length);
  return {
    text,
    encoding,
    ...(input.kind === "csv" && { rows: countRecords(text) }),
    ...(leftOut && { leftOut }),
    ...(skipped && Object.keys(skipped).length > 0 && { skipped }),
  };
}

/** All of a text, as the model gets it. */
export async function toText(
  {
    bytes,
    kind,
    limits = {},
    attached,
    isTitled,
  }: Pick<TextInput, "bytes" | "kind" | "limits" | "attached" | "isTitled">,
  encoding: string,
): Promise<{ text: string; skipped?: Skipped }> {
  // Each of its parts has an encoding of its own.
  if (kind === "mail" || (kind === "html" && isArchive(bytes))) {
    // What comes along with a page are its styles and scripts.
    const mail = await readMail(bytes, limits, kind === "mail" ? attached?.read : undefined);
    if (mail) return mail;
  }
  const decoded = await decodeSlowly(bytes, encoding);
  await giveWay();
  if (kind === "html") return { text: await htmlToText(decoded, isTitled) };
  const { text, count } = await leaveOutData(decoded);
  return { text, ...(count > 0 && { skipped: { embeddedFiles: count } }) };
}

function isArchive(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAX_HEAD_BYTES));
  return looksLikeWebArchive(head.toString("latin1").trimStart());
}

const MAX_HEAD_BYTES = 16 * 1024;

/** A beginning of the text that fits, in whole lines where these are not too long. */
export function cutToTokens(text: string, maxTokens: number): string {
  const taken = takeTokens(text, maxTokens);
  if (taken.length === text.length) return text;
  const lineEnd = taken.lastIndexOf("\n");
  return lineEnd > taken.length * 0.8 ? taken.slice(0, lineEnd) : taken;
}

const MAX_BYTES_PER_TOKEN = 8;
const DETECTION_MARGIN_BYTES = 64 * 1024;

/** The beginning may be plain ASCII and the rest not: the whole of what was read decides. */
function settleEncoding({ bytes, isWhole, encoding, contentType }: TextInput): string {
  if (encoding !== "utf-8") return encoding;
  return findEncoding(bytes, isWhole, contentType) ?? encoding;
}

function describeLeftOut({ isWhole, size, bytes }: TextInput, cutCharacters: number): LeftOut | undefined {
  const unreadBytes = isWhole ? 0 : Math.max(0, size - bytes.byteLength);
  if (cutCharacters === 0 && isWhole) return undefined;
  return {
    reason: cutCharacters > 0 ? "window" : "size",
    ...(cutCharacters > 0 && { characters: cutCharacters }),
    ...(unreadBytes > 0 && { bytes: unreadBytes }),
  };
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Records of a CSV: lines, save those inside of quotes. */
export function countRecords(text: string): number {
  let records = 0;
  let isQuoted = false;
  let isEmpty = true;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) isQuoted = !isQuoted;
    if (code === LINE_FEED && !isQuoted) {
      if (!isEmpty) records += 1;
      isEmpty = true;
    } else isEmpty = false;
  }
  return isEmpty ? records : records + 1;
}
