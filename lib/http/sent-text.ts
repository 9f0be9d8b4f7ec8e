import { AppError } from "@/lib/domain/errors";

/**
 * The text of a form's field from its bytes: in UTF-8, or in the charset that its part names. What does not fit is refused,
 * as in JSON: with signs in place of letters the model would answer, and charge for, another question.
 * @param contentType the part's, as it was sent
 * @throws AppError INVALID_MULTIPART naming the field
 */
export function readSentText(bytes: Uint8Array, contentType: string | undefined, field: string): string {
  const charset = CHARSET.exec(contentType ?? "")?.[1];
  try {
    return new TextDecoder(charset ?? "utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const message =
      charset === undefined
        ? `${field} is not valid UTF-8. Send text in UTF-8, or name its charset in the part's Content-Type.`
        : `${field} is not text in the charset that its part names. Send it in UTF-8.`;
    throw new AppError("INVALID_MULTIPART", message, { param: field, cause });
  }
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;
