import { z } from "zod";
import type { BodyDefinition } from "@/lib/contracts/endpoint-definition";
import { cutText } from "@/lib/domain/cut-text";
import { type AppError, notFound } from "@/lib/domain/errors";
import { cleanText } from "@/lib/http/clean-text";
import { MAX_PARAM_CHARACTERS, validate, validationFailed } from "@/lib/http/validate";

/**
 * The query parameters that an endpoint knows; others are left alone, so that trackers and caches do no harm.
 * @param body of the endpoint: its fields are refused here, as they would not count
 * @throws AppError VALIDATION_FAILED, also for a parameter that is there twice, or is a known one in another spelling
 */
export function readQuery<S extends z.ZodObject>(
  schema: S,
  search: URLSearchParams,
  body?: BodyDefinition,
): z.output<S> {
  for (const name of search.keys()) if (!Object.hasOwn(schema.shape, name)) refuseMistaken(name, schema, body);
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = search.getAll(name);
    if (values.length > 1) throw validationFailed([{ param: name, message: "must be given once" }]);
    if (values[0] !== undefined) given[name] = cleanText(values[0], name);
  }
  return validate(schema, given);
}

/**
 * A bound on the cost, a wish for a quote or an end user's name must not go unheard: the call would be charged, or cross
 * from one end user to another.
 */
function refuseMistaken(name: string, schema: z.ZodObject, body: BodyDefinition | undefined): void {
  const param = cutText(name, MAX_PARAM_CHARACTERS);
  const isMeant = (known: string) => bareName(known) === bareName(name);
  const known = Object.keys(schema.shape).find(isMeant);
  if (known !== undefined) throw validationFailed([{ param, message: `must be written ${known}` }]);
  const field = fieldNames(body).find(isMeant);
  if (field === undefined) return;
  const spelling = field === name ? "" : ` as ${field}`;
  throw validationFailed([{ param, message: `must be sent in the body${spelling}, not in the query` }]);
}

/** The same for `endUserId`, `enduserid`, `end_user_id`, and `endUserId[]` or `endUserId[0]`, as some libraries write lists. */
function bareName(name: string): string {
  return name
    .replace(/\[.*$/s, "")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

function fieldNames(body: BodyDefinition | undefined): string[] {
  if (!body) return [];
  const file = body.kind === "json" ? [] : [body.file.field];
  return [...file, ...(body.schema instanceof z.ZodObject ? Object.keys(body.schema.shape) : [])];
}

/** Path parameters as Next and our own server hand them over. */
export type RawParams = Record<string, string | string[] | undefined>;

/**
 * The path parameters; or what to answer once the rest of the call is known to be right: what does not look like an id
 * cannot exist, and is answered when one that looks like it is looked for.
 */
export function readParams<S extends z.ZodObject>(
  schema: S,
  params: RawParams,
): { params: z.output<S> } | { missing: AppError } {
  const result = schema.safeParse(params);
  if (result.success) return { params: result.data };
  return { missing: notFound(result.error.issues[0]?.message ?? "The path") };
}
