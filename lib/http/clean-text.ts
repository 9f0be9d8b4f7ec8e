import { cutText } from "@/lib/domain/cut-text";
import type { ErrorDetail } from "@/lib/domain/errors";
import { MAX_PARAM_CHARACTERS, validationFailed } from "@/lib/http/validate";

/**
 * Text that the database can keep. NUL characters are refused; half surrogate pairs, which no UTF-8 can carry, become
 * U+FFFD, as they would on any other way into UTF-8.
 * @throws AppError VALIDATION_FAILED naming `param`
 */
export function cleanText(text: string, param: string): string {
  if (text.includes("\0")) throw validationFailed([nulDetail(param)]);
  return text.toWellFormed();
}

/**
 * The same for every text in a JSON value, names of fields included. Changes the value in place.
 * @throws AppError VALIDATION_FAILED naming the field
 */
export function cleanJson(value: unknown, path = ""): unknown {
  if (typeof value === "string") return cleanText(value, path);
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      value[index] = cleanJson(item, `${path}[${index}]`);
    });
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const param = path === "" ? name : `${path}.${name}`;
      if (name.includes("\0") || !name.isWellFormed()) throw validationFailed([badName(path)]);
      const cleaned = cleanJson(item, param);
      // Never through assignment: a field named __proto__ would set the prototype.
      if (cleaned !== item)
        Object.defineProperty(value, name, { value: cleaned, enumerable: true, writable: true, configurable: true });
    }
  }
  return value;
}

function nulDetail(param: string): ErrorDetail {
  return {
    param: cutText(param.replaceAll("\0", ""), MAX_PARAM_CHARACTERS),
    message: "must not contain NUL characters",
  };
}

function badName(path: string): ErrorDetail {
  return {
    param: path === "" ? "body" : cutText(path, MAX_PARAM_CHARACTERS),
    message: "has a field name that is not valid Unicode text",
  };
}
