import { z } from "zod";
import { stringMap } from "@/lib/contracts/string-map";
import {
  END_USER_ID_PATTERN,
  END_USER_ID_RULE,
  isEndUserId,
  MAX_END_USER_ID_CHARACTERS,
} from "@/lib/domain/end-user-id";
import { type IdKind, isId } from "@/lib/domain/ids";
import { MAX_FILE_CONTENT_BYTES, MAX_MESSAGE_CHARACTERS, MAX_REFERENCE_CHARACTERS } from "@/lib/domain/limits";
import { MAX_OUTPUT_SCHEMA_CHARACTERS, readOutputSchema } from "@/lib/domain/output-schema";
import type { OutputSchema } from "@/lib/domain/schema-keywords";
import { MAX_TEMPLATE_VARIABLES, MAX_VARIABLE_NAME_CHARACTERS } from "@/lib/domain/template-limits";

/** Fields that several bodies and queries share, each with its rule and its words. */

/** The greatest value of an `integer` column. */
const MAX_INTEGER = 2_147_483_647;
const MAX_ID_CHARACTERS = 200;
const MAX_URL_CHARACTERS = 2_048;
const MAX_UPLOAD_ID_CHARACTERS = 4_000;

const OUTPUT_SCHEMA_EXAMPLE = {
  type: "object",
  properties: { total: { type: "number" }, currency: { type: "string" } },
  required: ["total", "currency"],
  additionalProperties: false,
};

/** §4: `message` and `prompt` (contract §5: 1 to 100,000 characters). */
export function instructionField(description: string) {
  return z.string().min(1).max(MAX_MESSAGE_CHARACTERS).meta({ description });
}

/** Contract §3, end users. */
export const endUserIdField = z
  .string()
  .refine(isEndUserId, END_USER_ID_RULE)
  .meta({
    description: "Your own name for one of your end users; isolates that user's sessions.",
    maxLength: MAX_END_USER_ID_CHARACTERS,
    pattern: END_USER_ID_PATTERN.source,
    examples: ["customer-42"],
  });

/** An id in a body or query; whether it exists is the service's question (404). */
export function idReference(description: string) {
  return z.string().min(1).max(MAX_ID_CHARACTERS).meta({ description });
}

/** (beyond) A file that was uploaded before; whether it can be used is the service's question (404). */
export const uploadIdField = z
  .string()
  .min(1)
  .max(MAX_UPLOAD_ID_CHARACTERS)
  .meta({ description: "`uploadId` of POST /uploads, instead of the file." });

/** An id in the path: what does not look like one cannot exist, so it is the same 404. `what`: "The session". */
export function idParam(kind: IdKind, what: string, description: string) {
  return z
    .string()
    .refine((text) => isId(kind, text), what)
    .meta({ description });
}

/** Text here; that it is HTTPS and public is checked by the service (URL_NOT_HTTPS, URL_NOT_ALLOWED). */
export const callbackUrlField = z
  .string()
  .min(1)
  .max(MAX_URL_CHARACTERS)
  .meta({
    description: "HTTPS address that receives `completion` or `error` of this call, signed like a webhook.",
    format: "uri",
    examples: ["https://client.example/hooks/ai"],
  });

/** (beyond) What the client calls it. */
export const referenceField = z
  .string()
  .min(1)
  .max(MAX_REFERENCE_CHARACTERS)
  .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), "must be one line, without control characters")
  // Nobody sees it, and who copies or types the name leaves it out: it is found whole.
  .refine((text) => text === text.trim(), "must not begin or end with white space")
  .meta({
    description:
      "Your own name for this work, such as an order number: records and events have it, and lists find it. One line, without white space around it.",
    examples: ["order-4711"],
  });

/** The same in a record. */
export const referenceShown = z.string().optional().meta({ description: "Your own; the last that a call sent." });

/** Contract §4: an object of strings; numbers and booleans are turned into strings. */
export const templateVarsField = stringMap(
  {
    maxEntries: MAX_TEMPLATE_VARIABLES,
    maxNameCharacters: MAX_VARIABLE_NAME_CHARACTERS,
    takesNumbersAndBooleans: true,
  },
  {
    description: "Values for the template's placeholders, by name. Without `templateId` they have no effect.",
    examples: [{ tone: "formal" }],
  },
);

/** (beyond) Contract §6. */
export const templateVersionField = wholeNumber(1, MAX_INTEGER).meta({
  description:
    "Version of the template; when left out, its `liveVersion`, or else the newest. Without `templateId` it has no effect.",
});

/** (beyond) What the answer has to be; read by `readOutputSchema`, with its references written out. */
export const outputSchemaField = z
  .unknown()
  .meta({
    type: "object",
    additionalProperties: true,
    description: `JSON Schema of an object, at most ${MAX_OUTPUT_SCHEMA_CHARACTERS.toLocaleString("en")} characters: the answer is JSON that fits it. In forms a JSON string.`,
    examples: [OUTPUT_SCHEMA_EXAMPLE],
  })
  .transform((value, context): OutputSchema => {
    const read = readOutputSchema(value);
    if ("schema" in read) return read.schema;
    const { path, message } = read.fault;
    context.issues.push({ code: "custom", message, path, input: value });
    return z.NEVER;
  });

/** (beyond) Contract §5. */
export const maxCreditsField = wholeNumber(1, MAX_INTEGER).meta({
  description: "The turn fails with MAX_CREDITS_REACHED rather than cost more.",
});

/** §4.3: inline text context, at most 10 MB as UTF-8. */
export const fileContentField = z
  .string()
  .min(1)
  .refine((text) => isWithinBytes(text, MAX_FILE_CONTENT_BYTES), `must have at most ${MAX_FILE_CONTENT_BYTES} bytes`)
  .meta({ description: "Text that the message is about, e.g. the content of a file; at most 10 MB." });

/** A whole number in these bounds; of what is none it says so. */
export function wholeNumber(least: number, most: number) {
  return z
    .int({
      // What is beyond the exact numbers is told of these bounds alone, not of those first.
      abort: true,
      error: ({ code, input }) => {
        if (code === "too_big") return `must be at most ${most}`;
        if (code === "too_small") return `must be at least ${least}`;
        return code === "invalid_type" && input !== undefined ? "must be a whole number" : undefined;
      },
    })
    .min(least)
    .max(most);
}

/** A whole number where the transport knows only text: query strings and multipart fields. */
export function fromText<S extends z.ZodType<number, number>>(schema: S) {
  return z.preprocess(
    (value) => (typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    schema,
  );
}

/** The version of what is kept with its versions. */
export const versionField = wholeNumber(1, MAX_INTEGER);

/** The version that somebody began with; 0: there was none. */
export const baseVersionField = wholeNumber(0, MAX_INTEGER);

/** An offset into a list. */
export const offsetField = fromText(wholeNumber(0, MAX_INTEGER))
  .default(0)
  .meta({ description: "How many of the newest items to leave out, as the list is at the moment of the call." });

/** ISO 8601 UTC with milliseconds. */
export function timestamp(description: string) {
  return z.string().meta({ description, format: "date-time", examples: ["2026-01-31T09:30:00.000Z"] });
}

/** A count that is never negative. */
export function count(description: string) {
  return wholeNumber(0, MAX_INTEGER).meta({ description });
}

/** A sum over any number of calls: it may outgrow the columns that it sums. */
export function total(description: string) {
  return z.int().min(0).meta({ description });
}

function isWithinBytes(text: string, maxBytes: number): boolean {
  // At most three bytes of UTF-8 for each UTF-16 unit: short texts need no encoding.
  if (text.length * 3 <= maxBytes) return true;
  return text.length <= maxBytes && new TextEncoder().encode(text).length <= maxBytes;
}
