import type { EventEmitter } from "node:events";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { AppError } from "@/lib/domain/errors";
import { isFileField } from "@/lib/http/file-field";
import { headerInUtf8 } from "@/lib/http/sent-file-name";

const STREAM_BUFFER_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

/** How a part's bytes may be sent: as they are, under each of the names for that. */
const PLAIN_ENCODINGS = ["7bit", "8bit", "binary"];

/**
 * What is wrong with a part whose bytes are encoded for mail, which HTTP has no need of (RFC 7578 §4.7): base64 would be taken
 * for the text that it looks like. Undefined for bytes as they are.
 */
export function refusedEncoding(encoding: string): AppError | undefined {
  if (PLAIN_ENCODINGS.includes(encoding.trim().toLowerCase())) return undefined;
  return new AppError(
    "INVALID_MULTIPART",
    "A part of the form has a Content-Transfer-Encoding. Send its bytes as they are, without this header.",
  );
}

/** What a part says of itself, as it was sent. */
export interface PartHeaders {
  contentType?: string | undefined;
  disposition?: string | undefined;
}

/**
 * Notes what each part says of itself. Its content type is kept from the parser, which hands on no more than the media type of
 * a file's and reads text in whatever charset it names: bytes that do not fit would silently become other signs. For the same
 * reason it gets names in UTF-8.
 * @param onLost called when the parser passes over a part
 * @returns the newest one's
 */
export function watchParts(parser: BusboyInstance, onLost: () => void): () => PartHeaders {
  let newest: PartHeaders = {};
  let hasHeaders = true;
  const { parser: parts } = (parser as unknown as { _parser: { parser: EventEmitter } })._parser;
  const checkHeaders = () => {
    if (!hasHeaders) onLost();
  };
  // Before the parser's own listener, which tells of the file.
  parts.prependListener("part", (part: EventEmitter) => {
    checkHeaders();
    hasHeaders = false;
    part.on("header", (header: Record<string, string[] | undefined>) => {
      hasHeaders = true;
      // The parser reads the names in it, and as UTF-8.
      const dispositions = header["content-disposition"]?.map(headerInUtf8);
      if (dispositions) header["content-disposition"] = dispositions;
      newest = { contentType: header["content-type"]?.[0], disposition: dispositions?.[0] };
      delete header["content-type"];
    });
  });
  parser.on("finish", checkHeaders);
  // Behind its own: it listens to the bytes of a part that it takes.
  parts.on("part", (part: EventEmitter) =>
    part.on("header", () => {
      if (part.listenerCount("data") === 0) onLost();
    }),
  );
  return () => newest;
}

/**
 * A parser that knows files from text fields and is bounded in everything but the size of files, which the form bounds.
 * @throws AppError INVALID_MULTIPART without a usable boundary
 */
export function makeParser(
  contentType: string,
  { files, jsonFields = [] }: { files: { field: string; max: number }; jsonFields?: readonly string[] },
  maxFields: number,
  maxFieldBytes: number,
): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      // Fields come as one sign a byte, for `readSentText` to read.
      defCharset: "latin1",
      highWaterMark: STREAM_BUFFER_BYTES,
      fileHwm: STREAM_BUFFER_BYTES,
      // The name is never a path here, and is made safe where it is stored.
      preservePath: true,
      // A part is a file by its name or its file name, whatever type it claims. But for JSON: clients that give such a part its
      // type can do so by a Blob alone, which has a file name.
      isPartAFile: (name, _contentType, fileName) =>
        (fileName !== undefined && !jsonFields.includes(name ?? "")) || (files.max > 0 && isFileField(name, files)),
      limits: {
        fields: maxFields,
        fieldSize: maxFieldBytes,
        parts: maxFields + files.max + 1,
        headerPairs: 20,
        headerSize: MAX_HEADER_BYTES,
      },
    });
  } catch (cause) {
    throw new AppError(
      "INVALID_MULTIPART",
      "The Content-Type needs the boundary of the form; let your HTTP library set it.",
      { cause },
    );
  }
}
