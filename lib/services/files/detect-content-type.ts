import { fileTypeFromBuffer } from "file-type";
import { detectKind } from "@/lib/ai/files/detect-kind";
import { isTiff } from "@/lib/ai/files/pages/tiff-frames.mjs";
import { findMarkedEncoding } from "@/lib/ai/files/text/find-encoding";
import { readCharset } from "@/lib/domain/charset";

/** What is looked at; the kinds inside a ZIP (office documents) may show only behind its first entries. */
const SAMPLE_BYTES = 64 * 1024;
/** Text kinds that a client may name; kinds that a browser would run (HTML, SVG, XML, scripts) are plain text here. */
const HARMLESS_TEXT_TYPES = new Set([
  "text/plain",
  "text/markdown",
  "text/csv",
  "text/tab-separated-values",
  "text/rtf",
  "text/vtt",
  "application/json",
]);
/** Kinds that can consist of readable characters; of others the marks are words too: a table may begin with "BMW" or "MZ". */
const READABLE_TYPES = /^text\/|^application\/(pdf|rtf|postscript|eps)$/;
const ACTIVE_TYPES = new Set(["application/xml", "text/xml", "image/svg+xml", "text/html", "application/xhtml+xml"]);

/**
 * Says what a stream contains by its first bytes, and gives back the whole stream. The client's word counts only
 * between harmless kinds of text, and for a text's encoding where the bytes are not UTF-8; what is neither known nor text is
 * `application/octet-stream`. Text is what the readers of files take for it: what a call may cost is reckoned by its kind.
 */
export async function detectContentType(
  stream: AsyncIterable<Uint8Array>,
  claimed: string,
): Promise<{ contentType: string; whole: AsyncIterable<Uint8Array> }> {
  const rest = stream[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  let begunBytes = 0;
  let isWhole = false;
  while (begunBytes <= SAMPLE_BYTES && !isWhole) {
    const next = await rest.next();
    if (next.done) isWhole = true;
    else {
      begun.push(next.value);
      begunBytes += next.value.byteLength;
    }
  }
  async function* whole() {
    try {
      yield* begun.splice(0);
      if (!isWhole) yield* { [Symbol.asyncIterator]: () => rest };
    } finally {
      await rest.return?.();
    }
  }
  const sample = Buffer.concat(begun).subarray(0, SAMPLE_BYTES);
  return { contentType: await nameContent(sample, sample.length === begunBytes, claimed), whole: whole() };
}

async function nameContent(sample: Uint8Array, isWhole: boolean, claimed: string): Promise<string> {
  // A sample that is cut in the middle of a structure is no error of the upload.
  const known = await fileTypeFromBuffer(sample).catch(() => undefined);
  const mime = known?.mime.split(";")[0];
  if (mime !== undefined && ACTIVE_TYPES.has(mime)) return withWideCharset("text/plain", findMarkedEncoding(sample));
  const encoding = isText(sample, isWhole) ? "utf-8" : await findReadersEncoding(sample, isWhole, claimed);
  if (mime !== undefined && (encoding === undefined || READABLE_TYPES.test(mime))) return mime;
  // Most programs write at its end what else is looked for in one.
  if (isTiff(sample)) return "image/tiff";
  const claimedType = claimed.split(";")[0]?.trim().toLowerCase() ?? "";
  const isTextClaimed = claimedType.startsWith("text/") || HARMLESS_TEXT_TYPES.has(claimedType);
  const charset = isTextClaimed ? findOldCharset(sample, isWhole, claimed) : undefined;
  if (encoding === undefined && charset === undefined) return "application/octet-stream";
  const type = HARMLESS_TEXT_TYPES.has(claimedType) ? claimedType : "text/plain";
  return charset === undefined ? withWideCharset(type, encoding) : `${type}; charset=${charset}`;
}

/** Wide characters are seen, and take twice the bytes. What is guessed of other encodings is for the readers, who see more. */
function withWideCharset(type: string, encoding: string | undefined): string {
  return encoding?.startsWith("utf-16") ? `${type}; charset=${encoding}` : type;
}

/** The encoding in which those who read files for the model take these bytes for text, as what Excel saves; undefined when they do not. */
async function findReadersEncoding(head: Uint8Array, isWhole: boolean, claimed: string): Promise<string | undefined> {
  const found = await detectKind({ head, isWhole, name: "", contentType: claimed }).catch(() => undefined);
  return found && "encoding" in found ? found.encoding : undefined;
}

/** The encoding from before Unicode that the client states; undefined where the bytes are none of it, or it says nothing of them. */
function findOldCharset(sample: Uint8Array, isWhole: boolean, claimed: string): string | undefined {
  const charset = readCharset(claimed);
  // What is UTF-8 or has wide characters shows it (lib/ai/files/text/find-encoding.ts).
  if (charset === undefined || charset.startsWith("utf-") || sample.includes(0)) return undefined;
  // All of the sample may be ASCII, and what comes after it not.
  const isOpen = !isWhole && sample.every((byte) => byte < 0x80);
  return isOpen || !isText(sample, isWhole) ? charset : undefined;
}

/** UTF-8 without NUL; the last character of a cut sample may be incomplete. */
function isText(sample: Uint8Array, isWhole: boolean): boolean {
  if (sample.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: !isWhole });
    return true;
  } catch {
    return false;
  }
}
