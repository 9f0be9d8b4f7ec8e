import { fileTypeFromBuffer } from "file-type";
import type { DetectedFile, ForeignImage, SoundFormat } from "@/lib/ai/files/file-kinds";
import { isWinmail } from "@/lib/ai/files/mail/is-winmail.mjs";
import { isTiff } from "@/lib/ai/files/pages/tiff-frames.mjs";
import { isEncrypted, isSigned } from "@/lib/ai/files/signed-content.mjs";
import { decodeText } from "@/lib/ai/files/text/decode-text";
import { detectTextKind, looksLikeWorkbook } from "@/lib/ai/files/text/detect-text-kind";
import { findEncoding, findMarkedEncoding } from "@/lib/ai/files/text/find-encoding";
import { describeUnread, ENCRYPTED_KIND, UNKNOWN_KIND } from "@/lib/ai/files/unread-kinds";

export interface DetectInput {
  /** The beginning of the file: DETECTION_BYTES of it, or all when it is shorter. */
  head: Uint8Array;
  /** Whether `head` is all of the file. */
  isWhole: boolean;
  /** A hint among kinds of text, nothing more. */
  name: string;
  /** What the sender says it is: believed only about a text's encoding. */
  contentType: string;
}

/** So much of a file tells what it is. */
export const DETECTION_BYTES = 256 * 1024;

/** What a file is. The content decides, not the name (contract §4). */
export async function detectKind({ head, isWhole, name, contentType }: DetectInput): Promise<DetectedFile> {
  const type = await fileTypeFromBuffer(head);
  if (type && SURE_MEDIA_TYPES.has(type.mime)) return fromMediaType(type.mime);
  if (!type && beginsLate(head)) return { kind: "pdf" };
  // Broken off within its first 33 bytes, it is none to file-type, and a few letters to findEncoding.
  if (!type && PNG_MARK.every((byte, index) => head[index] === byte)) return fromMediaType("image/png");
  // What tells it from photos of the same form stands at its end as often as not.
  if (!type && isTiff(head)) return { kind: "tiff" };
  const encoding = findEncoding(head, isWhole, contentType);
  // Short marks are words too: a report that begins with "BMW" is no bitmap.
  const isSureText =
    encoding === "utf-8" || findMarkedEncoding(head) !== undefined || TEXT_MEDIA_TYPES.has(type?.mime ?? "");
  if (encoding !== undefined && (!type || isSureText)) {
    const text = decodeText(head, encoding);
    const kind = detectTextKind(text, name, isWhole);
    return kind === "xml" && looksLikeWorkbook(text) ? { kind: "workbook" } : { kind, encoding };
  }
  if (type) return fromMediaType(type.mime);
  if (isSigned(head)) return { kind: "signed" };
  if (isWinmail(head)) return { kind: "compound" };
  return { kind: "unsupported", ...(isEncrypted(head) ? ENCRYPTED_KIND : UNKNOWN_KIND) };
}

const PNG_MARK = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** These can consist of readable characters and are still no plain text. */
const SURE_MEDIA_TYPES = new Set([
  "application/pdf",
  "application/rtf",
  "text/rtf",
  "application/postscript",
  "application/eps",
]);

/** Texts in any encoding; and a bitmap has zeros in its head, which no text has. */
const TEXT_MEDIA_TYPES = new Set(["application/xml", "text/calendar", "text/vcard", "text/vtt", "image/bmp"]);

/** Some programs put a blank line or a byte order mark in front of a PDF, as its readers allow. */
function beginsLate(head: Uint8Array): boolean {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, MAX_BYTES_BEFORE_PDF));
  return /^(?:\xef\xbb\xbf|[\0\s])*%PDF-\d/.test(start.toString("latin1"));
}

const MAX_BYTES_BEFORE_PDF = 1024;

const IMAGE_MEDIA_TYPES: Record<string, string> = {
  "image/png": "image/png",
  "image/apng": "image/png",
  "image/jpeg": "image/jpeg",
  "image/webp": "image/webp",
  "image/gif": "image/gif",
};

const FOREIGN_IMAGES: Record<string, ForeignImage> = {
  "image/heic": "heif",
  "image/heic-sequence": "heif",
  "image/heif": "heif",
  "image/heif-sequence": "heif",
  "image/avif": "heif",
  "image/bmp": "bmp",
};

const SOUND_FORMATS: Record<string, SoundFormat> = {
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/mp4": "m4a",
  "audio/x-m4a": "m4a",
  "audio/ogg": "ogg",
  "audio/flac": "flac",
  "video/mp4": "mp4",
  "video/x-m4v": "mp4",
  "video/webm": "webm",
};

/** Containers of sound and videos that transcription does not take, and whose sound can be put into one that it does. */
const OTHER_SOUND = /^(video\/(quicktime|(x-)?matroska|mp2t|3gpp2?)|audio\/(aac|x-matroska|matroska|3gpp2?))$/;

/** A long document shows which one it is only beyond the part looked at, so all of these are opened to see. */
const ARCHIVE =
  /^application\/(zip$|vnd\.openxmlformats-officedocument\.|vnd\.oasis\.opendocument\.|.*macroenabled|epub\+zip$)/i;

function fromMediaType(mediaType: string): DetectedFile {
  if (mediaType === "application/pdf") return { kind: "pdf" };
  const image = IMAGE_MEDIA_TYPES[mediaType];
  if (image) return { kind: "image", mediaType: image };
  const foreign = FOREIGN_IMAGES[mediaType];
  if (foreign) return { kind: "foreign-image", format: foreign };
  if (mediaType === "image/tiff") return { kind: "tiff" };
  if (ARCHIVE.test(mediaType)) return { kind: "archive" };
  if (mediaType === "application/rtf" || mediaType === "text/rtf") return { kind: "rich-text" };
  if (mediaType === "application/x-cfb") return { kind: "compound" };
  // "audio/ogg; codecs=opus"
  const format = SOUND_FORMATS[mediaType.split(";")[0] ?? ""];
  if (format) return { kind: "sound", format };
  if (OTHER_SOUND.test(mediaType)) return { kind: "sound" };
  return { kind: "unsupported", ...describeUnread(mediaType) };
}
