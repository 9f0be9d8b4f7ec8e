import type { z } from "zod";
import { describeIssue } from "@/lib/contracts/describe-issue";
import { cutText } from "@/lib/domain/cut-text";
import { AppError, type ErrorDetail } from "@/lib/domain/errors";

const MAX_DETAILS = 20;
/** Of a field that an error names. */
export const MAX_PARAM_CHARACTERS = 100;

/**
 * Checks what a client sent against a schema and gives the schema's output.
 * @throws AppError VALIDATION_FAILED, naming each wrong field
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  throw validationFailed(result.error.issues.flatMap(toDetails));
}

/** The error of one or more wrong fields; its message names the first. */
export function validationFailed(details: ErrorDetail[]): AppError {
  const first = details[0] ?? { param: "", message: "The request is not valid" };
  const [all, shown] = [details.length, Math.min(details.length, MAX_DETAILS)];
  const more = all > 1 ? ` (${all - 1} more${shown < all ? `, ${shown - 1} of them` : ""} in details)` : "";
  return new AppError("VALIDATION_FAILED", `${`${first.param} ${first.message}`.trim()}${more}.`, {
    ...(first.param === "" ? {} : { param: first.param }),
    details: details.slice(0, shown),
  });
}

function toDetails(issue: z.core.$ZodIssue): ErrorDetail[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ param: paramName([...issue.path, key]), message: "is not a known field" }));
  }
  return [{ param: paramName(issue.path), message: issue.message }];
}

/** A name of nothing but blanks stands in quotes: the message would show nothing where it names the field. */
function nameOf(part: string | symbol): string {
  const name = String(part);
  return name.trim() === "" ? `"${name}"` : name;
}

/** A path as the client would write it: `tags[2].name`. */
function paramName(path: readonly PropertyKey[]): string {
  const name = path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? nameOf(part) : `${text}.${nameOf(part)}`;
  }, "");
  return cutText(name.toWellFormed(), MAX_PARAM_CHARACTERS);
}
