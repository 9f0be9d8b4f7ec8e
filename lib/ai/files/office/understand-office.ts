import type { LeftOut, Skipped } from "@/lib/ai/files/file-kinds";
import { isWinmail } from "@/lib/ai/files/mail/is-winmail.mjs";
import type { AttachedReader } from "@/lib/ai/files/mail/read-attached";
import { type MailText, readMail } from "@/lib/ai/files/mail/read-mail";
import { isLittleText, isSlides, isWorkbook, markSections, SEPARATOR } from "@/lib/ai/files/office/office-marks";
import { type OfficePictures, showOfficePictures } from "@/lib/ai/files/office/office-pictures";
import type { OfficeText } from "@/lib/ai/files/office/office-text";
import { LOCKED_MESSAGE, readOffice } from "@/lib/ai/files/office/read-office";
import type { SourceReader } from "@/lib/ai/files/reader/read-source";
import { countRecords, cutToTokens } from "@/lib/ai/files/text/read-text";
import {
  asText,
  budgetOf,
  type FileToUnderstand,
  MAX_CHARACTERS_PER_TOKEN,
  openDocument,
  readAll,
  type UnderstoodFile,
} from "@/lib/ai/files/understood-file";
import { MAX_HELD_BYTES } from "@/lib/domain/limits";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import { giveWay } from "@/lib/give-way";

/**
 * An Office document as text: sheets and slides with their numbers and names. Of one that is little else than pictures these follow.
 * @param isArchive its parts stand one beside the other, and are read without the pictures and films between them
 * @throws TurnError UNSUPPORTED_FILE
 */
export async function understandOffice(
  file: FileToUnderstand,
  reader: SourceReader,
  isArchive = false,
): Promise<UnderstoodFile> {
  const source = isArchive
    ? await openDocument(file, reader, "document")
    : await readAll(file, reader, MAX_HELD_BYTES, "document");
  const maxTokens = budgetOf(file);
  const document = await readOffice(source, {
    maxCharacters: maxTokens * MAX_CHARACTERS_PER_TOKEN,
    lane: file.lane,
    signal: file.signal,
  });
  const { kind, sections, sectionCount } = document;
  const hasText = sections.some(({ text }) => text !== "");
  const marked = hasText ? markSections(document) : [];
  const full = marked.join(SEPARATOR);
  await giveWay();
  const text = cutToTokens(full, maxTokens);
  await giveWay();
  const shown =
    isArchive && isLittleText(document) ? await showOfficePictures(file, source, estimateTokens(text)) : undefined;
  const skipped = describeSkipped(document, shown);
  if (!hasText && !shown?.count) {
    if (skipped) throw new TurnError("UNSUPPORTED_FILE", "The document holds no text, only what cannot be read yet.");
    throw new TurnError("UNSUPPORTED_FILE", "The document holds no text.");
  }
  const parts = cutParts(marked, text.length);
  const unread = hasText ? sectionCount - parts.length : 0;
  const leftOut = describeLeftOut(document, full.length - text.length, unread);
  await giveWay();
  const words = shown?.count ? [text, PICTURES_FOLLOW].filter(Boolean).join(SEPARATOR) : text;
  const understood = await asText(file, kind, words, {
    ...(isWorkbook(kind) && { sheets: sectionCount, rows: countRows(parts) }),
    ...(isSlides(kind) && { slides: sectionCount }),
    ...(shown?.count && { pictures: shown.count }),
    ...(leftOut && { leftOut }),
    ...(skipped && { skipped }),
  });
  return shown ? addPictures(understood, shown) : understood;
}

const PICTURES_FOLLOW = "[Pictures of the document, below]";

/** What is not read of its kind; of pictures those that were not shown. */
function describeSkipped({ skipped }: OfficeText, shown?: OfficePictures): Skipped | undefined {
  const counts = { ...skipped, ...(shown?.count && { pictures: shown.others }) };
  const left = Object.entries(counts).filter(([, count]) => count > 0);
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

function addPictures({ extraction, ...understood }: UnderstoodFile, { parts, tokens }: OfficePictures): UnderstoodFile {
  return {
    ...understood,
    parts: [...understood.parts, ...parts],
    extraction: { ...extraction, tokens: extraction.tokens + tokens },
  };
}

/** The beginnings of the parts that the first `length` characters of all of them hold. */
function cutParts(parts: string[], length: number): string[] {
  const kept: string[] = [];
  let left = length;
  for (const part of parts) {
    if (left <= 0) break;
    kept.push(part.slice(0, left));
    left -= part.length + SEPARATOR.length;
  }
  return kept;
}

/** Of the sheets' own text, without the line that names each. */
function countRows(parts: string[]): number {
  return parts.reduce((sum, part) => sum + countRecords(part) - 1, 0);
}

function describeLeftOut({ kind, isCut }: OfficeText, cut: number, unread: number): LeftOut | undefined {
  if (!isCut && cut === 0 && unread <= 0) return undefined;
  return {
    reason: "window",
    ...(cut > 0 && { characters: cut }),
    ...(unread > 0 && isWorkbook(kind) && { sheets: unread }),
    ...(unread > 0 && isSlides(kind) && { slides: unread }),
  };
}

/** Names of parts of a locked document and of a message of Outlook, as the container's directory spells them. */
const LOCKED_PART = Buffer.from("EncryptedPackage", "utf16le");
const MESSAGE_PART = Buffer.from("__properties_version1.0", "utf16le");
const OLD_PARTS = ["WordDocument", "Workbook", "PowerPoint Document"].map((name) => Buffer.from(name, "utf16le"));

/**
 * Messages of Outlook packed for itself (winmail.dat), and the container of its other messages (MSG), of the old Office formats, and of new ones with a password.
 * @param attached reads what came along with a message
 * @throws TurnError UNSUPPORTED_FILE
 */
export async function understandCompound(
  file: FileToUnderstand,
  reader: SourceReader,
  attached: AttachedReader,
): Promise<UnderstoodFile> {
  const { bytes } = await reader.readTo(Math.min(file.size, MAX_HELD_BYTES));
  const container = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (container.includes(LOCKED_PART)) throw new TurnError("UNSUPPORTED_FILE", LOCKED_MESSAGE);
  if (!isWinmail(container) && !container.includes(MESSAGE_PART)) return understandOffice(file, reader);
  const { lane, signal } = file;
  const message = await readAll(file, reader, MAX_HELD_BYTES, "message");
  const mail = await readMail(message, { lane, signal }, attached.read);
  // Messages lie in documents too, and documents in messages.
  if (!mail && OLD_PARTS.some((name) => container.includes(name))) return understandOffice(file, reader);
  return attached.addTo(await understandMessage(file, mail, attached.shownTokens));
}

async function understandMessage(
  file: FileToUnderstand,
  mail: MailText | undefined,
  shownTokens: number,
): Promise<UnderstoodFile> {
  if (!mail) throw new TurnError("UNSUPPORTED_FILE", "The message is damaged and could not be read.");
  if (mail.text === "") throw new TurnError("UNSUPPORTED_FILE", "The message holds no text.");
  await giveWay();
  const text = cutToTokens(mail.text, Math.max(1, budgetOf(file) - shownTokens));
  const cut = mail.text.length - text.length;
  return asText(file, "mail", text, {
    ...(cut > 0 && { leftOut: { reason: "window", characters: cut } }),
    ...(Object.keys(mail.skipped).length > 0 && { skipped: mail.skipped }),
  });
}
