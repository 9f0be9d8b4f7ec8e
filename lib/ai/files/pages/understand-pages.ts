import type { LeftOut, PagedKind, Skipped } from "@/lib/ai/files/file-kinds";
import type { AttachedFile, AttachedText } from "@/lib/ai/files/mail/attached-file";
import { countUnread, markAttached } from "@/lib/ai/files/mail/mark-attached";
import type { AttachedReader } from "@/lib/ai/files/mail/read-attached";
import { pictureParts } from "@/lib/ai/files/pages/picture-parts";
import type { PdfText } from "@/lib/ai/files/pages/read-pdf";
import { type ShownPages, showPages } from "@/lib/ai/files/pages/show-pages";
import type { RangedFile } from "@/lib/ai/files/reader/read-source";
import { cutToTokens } from "@/lib/ai/files/text/read-text";
import { asText, budgetOf, type FileToUnderstand, type UnderstoodFile } from "@/lib/ai/files/understood-file";
import { listPages, PAGE_PICTURE_TOKENS } from "@/lib/domain/page-pictures";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import { giveWay } from "@/lib/give-way";

/**
 * A document of pages as their text; pages without text are shown as pictures, as many of them as one request takes and the
 * window holds, to models that take pictures. What is read in parts has them named, to be shown with their parts.
 * @param source the document, from which its pages are drawn
 * @param attachedReader reads what came along in it; without one it is named
 * @throws TurnError UNSUPPORTED_FILE when nothing of it can be read; the signal's own reason
 */
export async function understandPages(
  file: FileToUnderstand,
  source: Uint8Array | RangedFile,
  kind: PagedKind,
  { pageCount, pages, scannedPages, pictures = new Map(), attached = [], moreAttached = 0 }: PdfText,
  attachedReader?: AttachedReader,
): Promise<UnderstoodFile> {
  const maxTokens = budgetOf(file);
  const textTokens = estimateTokens(pages.join("\n\n"));
  await giveWay();
  const isTextTooLong = pages.length < pageCount || textTokens + PAGE_PICTURE_TOKENS > maxTokens;
  const shown = await showPages(file, source, scannedPages, { maxTokens, isTextTooLong });
  attachedReader?.keepRoom(shown.tokens + textTokens, shown.pages.length > 0);
  const along = attached.length === 0 ? [] : ((await attachedReader?.read(attached)) ?? attached.map(nameAlone));
  const isAnyRead = pages.some((page) => page.trim() !== "") || countUnread(along) < along.length;
  const refusal = !isAnyRead && shown.pages.length === 0 ? nothingToRead(kind, shown.skipped?.pagesReason) : undefined;
  // What one call has no room for, parts may have.
  if (refusal && (shown.skipped?.pagesReason !== "limit" || file.partTokens !== undefined)) throw refusal;

  const isInParts = file.partTokens !== undefined;
  const shownPages = new Set(shown.pages);
  const marks = pages.map((page, index) =>
    shownPages.has(index + 1) ? markOfShown(index + 1, page, isInParts) : markOf(index + 1, pictures.get(index + 1)),
  );
  const marked = pages.map((page, index) => `${marks[index]}\n${page}`.trimEnd()).join("\n\n") + markAttached(along);
  await giveWay();
  const shownTokens = shown.tokens + (attachedReader?.shownTokens ?? 0);
  const text = cutToTokens(marked, Math.max(1, maxTokens - shownTokens));
  const leftOut = describeLeftOut(marked.length - text.length, pageCount - pages.length);
  await giveWay();
  const understood = await asText(file, kind, text, {
    pages: pageCount,
    ...(shown.pages.length > 0 &&
      !isInParts && { picturePages: shown.pages.length, picturePageNumbers: listPages(shown.pages) }),
    ...(leftOut && { leftOut }),
    ...skippedOf(shown, {
      pictures: [...pictures.values()].reduce((sum, count) => sum + count, 0),
      embeddedFiles: countUnread(along) + moreAttached,
    }),
  });
  if (isInParts) return { ...understood, pagesToShow: shown.seen ?? [] };
  const { extraction, parts } = understood;
  const whole: UnderstoodFile = {
    ...understood,
    parts: [...parts, ...pictureParts(file.name, shown.pictures)],
    extraction: { ...extraction, tokens: extraction.tokens + shown.tokens },
    ...(shown.seen && { seenPages: shown.seen }),
    ...(refusal && { refusal }),
  };
  return attachedReader?.addTo(whole) ?? whole;
}

const nameAlone = ({ name }: AttachedFile): AttachedText => ({ name });

function skippedOf({ skipped }: ShownPages, { pictures, embeddedFiles }: Skipped): { skipped?: Skipped } {
  if (!skipped && !pictures && !embeddedFiles) return {};
  return { skipped: { ...skipped, ...(pictures && { pictures }), ...(embeddedFiles && { embeddedFiles }) } };
}

function markOf(page: number, pictures = 0): string {
  return pictures > 0 ? `[Page ${page}, pictures not here: ${pictures}]` : `[Page ${page}]`;
}

/** A part's page may turn out to be empty when it is drawn: its mark says no more than that it has no text, or was scanned. */
function markOfShown(page: number, text: string, isInParts: boolean): string {
  if (!isInParts) return `[Page ${page}, shown as a picture below]`;
  return text.trim() === "" ? `[Page ${page}, without text]` : `[Page ${page}, scanned]`;
}

function describeLeftOut(cut: number, unread: number): LeftOut | undefined {
  if (unread === 0 && cut === 0) return undefined;
  return { reason: "window", ...(cut > 0 && { characters: cut }), ...(unread > 0 && { pages: unread }) };
}

/** Why there is nothing to read in a document of pages, for whoever sent it; without a reason its pages are empty. */
export function nothingToRead(kind: PagedKind, reason?: Skipped["pagesReason"]): TurnError {
  const name = kind.toUpperCase();
  const messages = {
    model: `The ${name} holds no text, only pictures of pages, and the project's model takes no pictures.`,
    limit: `The ${name} holds no text, only pictures of pages, for which the model's window has no room.`,
    unreadable: `The ${name} holds no text, and its pages could not be drawn.`,
    empty: `The pages of the ${name} are empty.`,
  };
  return new TurnError("UNSUPPORTED_FILE", messages[reason ?? "empty"]);
}
