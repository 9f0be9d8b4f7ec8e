import { invalidField } from "@/lib/domain/errors";

/**
 * The text of an uploaded file; a byte order mark is no part of it.
 * @throws AppError VALIDATION_FAILED for other than UTF-8
 */
export function decodeUpload(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidField("file", "must be UTF-8 text");
  }
}
