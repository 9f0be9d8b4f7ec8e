import { DETECTION_BYTES, detectKind } from "@/lib/ai/files/detect-kind";
import type { AttachedFile } from "@/lib/ai/files/mail/attached-file";
import { markAttached } from "@/lib/ai/files/mail/mark-attached";
import { isLittleText, markSections, SEPARATOR } from "@/lib/ai/files/office/office-marks";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { readPdf } from "@/lib/ai/files/pages/read-pdf";
import type { ReaderLimits } from "@/lib/ai/files/reader/run-reader";
import { signedContent } from "@/lib/ai/files/signed-content.mjs";
import { toText } from "@/lib/ai/files/text/read-text";

/** What a file that came along with another says, and whether there is more of it to be seen. */
export interface AttachedWords {
  /** Undefined of what has none. */
  text?: string | undefined;
  /** It is a picture, or has pages without text, or is little else than pictures. */
  isToSee: boolean;
}

/**
 * Reads the text of a file that came along with another, whatever its sender says that it is; what came along in that one is named.
 * @throws TurnError UNSUPPORTED_FILE; the signal's own reason
 */
export async function readAttachedText(
  { name, contentType, bytes }: Required<AttachedFile>,
  limits: ReaderLimits,
): Promise<AttachedWords> {
  const head = bytes.subarray(0, DETECTION_BYTES);
  const found = await detectKind({ head, isWhole: head.byteLength === bytes.byteLength, name, contentType });
  switch (found.kind) {
    case "signed": {
      const content = signedContent(bytes);
      return content ? readAttachedText({ name, contentType: "", bytes: content }, limits) : { isToSee: false };
    }
    case "pdf":
      return readAttachedPdf(bytes, limits);
    case "tiff":
    case "image":
    case "foreign-image":
      return { isToSee: true };
    case "archive": {
      const document = await readOffice(bytes, limits);
      return { text: markSections(document).join(SEPARATOR), isToSee: isLittleText(document) };
    }
    case "compound":
    case "workbook":
    case "rich-text":
      return { text: markSections(await readOffice(bytes, limits)).join(SEPARATOR), isToSee: false };
    default: {
      const read = "encoding" in found ? await toText({ bytes, kind: found.kind, limits }, found.encoding) : undefined;
      return { text: read?.text, isToSee: false };
    }
  }
}

async function readAttachedPdf(bytes: Uint8Array, limits: ReaderLimits): Promise<AttachedWords> {
  const { pages, scannedPages, attached = [] } = await readPdf(bytes, limits);
  const scanned = new Set(scannedPages);
  const isToSee = scanned.size > 0;
  if (pages.every((page) => page.trim() === "")) return { isToSee };
  const mark = (page: number) => (scanned.has(page) ? `[Page ${page}, its picture not here]` : `[Page ${page}]`);
  const text = pages.map((page, index) => `${mark(index + 1)}\n${page}`).join(SEPARATOR);
  return { text: text + markAttached(attached.map(({ name }) => ({ name }))), isToSee };
}
