import type { z } from "zod";
import { notFound } from "@/lib/domain/errors";
import { cleanText } from "@/lib/http/clean-text";
import { validate, validationFailed } from "@/lib/http/validate";

/**
 * The query parameters that an endpoint knows; others are left alone, so that trackers and caches do no harm.
 * @throws AppError VALIDATION_FAILED, also for a parameter that is there twice
 */
export function readQuery<S extends z.ZodObject>(schema: S, search: URLSearchParams): z.output<S> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = search.getAll(name);
    if (values.length > 1) throw validationFailed([{ param: name, message: "must be given once" }]);
    if (values[0] !== undefined) given[name] = cleanText(values[0], name);
  }
  return validate(schema, given);
}

/** Path parameters as Next and our own server hand them over. */
export type RawParams = Record<string, string | string[] | undefined>;

/**
 * The path parameters.
 * @throws AppError NOT_FOUND: what does not look like an id cannot exist
 */
export function readParams<S extends z.ZodObject>(schema: S, params: RawParams): z.output<S> {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw notFound(result.error.issues[0]?.message ?? "The path");
}
