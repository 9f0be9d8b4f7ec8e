import { AppError } from "@/lib/domain/errors";
import { cleanJson } from "@/lib/http/clean-text";
import { findExcess } from "@/lib/http/find-excess";

/**
 * Parses JSON that a client wrote. Bounded in depth and number of values before a single object is made.
 * With a name twice the last one counts.
 * @param param the field that carries it, in a multipart body
 * @throws AppError INVALID_JSON (INVALID_MULTIPART for a field), VALIDATION_FAILED for text that cannot be kept
 */
export function parseJson(text: string, param?: string): unknown {
  const invalid = (reason: string, cause?: unknown) =>
    param === undefined
      ? new AppError("INVALID_JSON", `The body ${reason}.`, { cause })
      : new AppError("INVALID_MULTIPART", `${param} ${reason}.`, { param, cause });
  const tooMuch = findExcess(text);
  if (tooMuch) throw invalid(tooMuch);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid("is not valid JSON");
  }
  // NUL and half surrogate pairs get into valid UTF-8 only by escapes.
  return text.includes("\\u") ? cleanJson(value, param) : value;
}
