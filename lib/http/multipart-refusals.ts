import { cutText } from "@/lib/domain/cut-text";
import { AppError } from "@/lib/domain/errors";

/** What is said of a form that is refused. */

const MAX_SHOWN_NAME_CHARACTERS = 64;
/** Most often a path whose `@` was forgotten: the model would answer about the path, and that would be charged. */
export const PLAIN_TEXT = "must be a file, not text: send it with its file name (curl: -F file=@report.pdf)";

/** It cannot be read as a form. @param cause what the parser says */
export function malformed(cause: unknown): AppError {
  return new AppError("INVALID_MULTIPART", "The form is not well-formed multipart/form-data, or it ended too early.", {
    cause,
  });
}

/** A part says not which field it is. */
export function unnamedPart(): AppError {
  return new AppError("INVALID_MULTIPART", "Every part of the form needs a name.");
}

/** A part that the parser would leave out without a word: a file of a batch, or a bound on the cost. */
export function lostPart(): AppError {
  return new AppError(
    "INVALID_MULTIPART",
    'A part of the form cannot be read. Begin each with Content-Disposition: form-data; name="...", without line breaks in its names, and an empty line behind its headers.',
  );
}

/** It has more text fields than are read. */
export function tooManyFields(maxFields: number): AppError {
  return new AppError("VALIDATION_FAILED", `The form must have at most ${maxFields} text fields.`);
}

/** A client's field name in an error message. */
export function shownName(name: string): string {
  return cutText(name.replace(/[\p{C}\s]+/gu, " ").trim(), MAX_SHOWN_NAME_CHARACTERS) || "The part";
}
