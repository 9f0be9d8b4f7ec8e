import { z } from "zod";
import { NO_NUL_PATTERN } from "@/lib/domain/limits";

export type JsonSchema = Record<string, unknown>;

/** Makes JSON Schema of a schema for a document, which keeps what has an id apart. */
export type UseSchema = (schema: z.ZodType, io: "input" | "output") => JsonSchema;

/** A schema as JSON Schema (2020-12); schemas with an id are references into `definitions`. */
export interface JsonSchemaDocument {
  schema: JsonSchema;
  definitions: Record<string, JsonSchema>;
}

/**
 * Turns a contract's schema into JSON Schema.
 * @param io `input`: what a client may send; `output`: what it gets
 * @param referencePrefix where the definitions will stand, e.g. `#/components/schemas/`
 */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output", referencePrefix: string): JsonSchemaDocument {
  // Wrapped, so that a schema with an id becomes a reference at the top too.
  const override = io === "input" ? simplifyInput : simplify;
  const wrapped = z.toJSONSchema(z.object({ root: schema }), { io, override });
  const { properties, $defs } = moveReferences(wrapped, referencePrefix) as {
    properties: { root: JsonSchema };
    $defs?: Record<string, JsonSchema>;
  };
  return { schema: properties.root, definitions: $defs ?? {} };
}

interface MadeSchema {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** Says of text what is refused before a schema sees it: the NUL character. */
function simplifyInput(made: MadeSchema): void {
  simplify(made);
  const { zodSchema, jsonSchema } = made;
  if (zodSchema._zod.def.type === "string") jsonSchema.pattern ??= NO_NUL_PATTERN;
}

/** Leaves out what says nothing, and what would forbid us to add a field to an answer. */
function simplify({ zodSchema, jsonSchema }: MadeSchema): void {
  const { def } = zodSchema._zod;
  if (def.type === "object" && def.catchall === undefined) delete jsonSchema.additionalProperties;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
    delete jsonSchema.maximum;
    // Clients in Java and C# are generated with numbers of 32 bits otherwise, which a sum of tokens outgrows.
    if (jsonSchema.type === "integer") jsonSchema.format = "int64";
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // Zod's pattern for it is of all calendars' days; the format says the same.
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  // Zod leaves the default out where the text of a query is turned into a number.
  if (def.type === "default") jsonSchema.default = def.defaultValue as z.core.JSONSchema.JSONSchema["default"];
  delete jsonSchema.id;
}

function moveReferences(value: unknown, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((item) => moveReferences(item, prefix));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) =>
      name === "$ref" && typeof item === "string"
        ? [name, item.replace("#/$defs/", prefix)]
        : [name, moveReferences(item, prefix)],
    ),
  );
}
