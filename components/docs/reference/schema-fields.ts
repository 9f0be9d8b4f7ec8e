import { type OpenApiDocument, resolveSchema, type Schema } from "@/components/docs/reference/openapi";
import { formatNumber } from "@/components/ui/format-number";

/** `NO_NUL_PATTERN` of lib/domain/limits.ts. */
const ANY_TEXT = "^[^\\x00]*$";

/** A field of a call or an answer, in words. */
export interface SchemaField {
  name: string;
  /** "string", "array of objects", "URL or null" */
  type: string;
  isRequired: boolean;
  text: string;
  /** "1 to 200 characters", "`20` when left out" */
  limits: string[];
  /** The values that it may have; empty: any of its type. */
  choices: string[];
  /** What stands in it, or in each of its items. */
  fields: SchemaField[];
}

/** Written where a number has no limit of its own: the largest that is kept. */
const LARGEST = 2_147_483_647;
const FORMATS: Record<string, string> = { "date-time": "date and time", date: "date", uri: "URL", binary: "file" };

/** What one field of that schema is. */
export function fieldOf(document: OpenApiDocument, name: string, given: Schema, isRequired: boolean): SchemaField {
  const schema = resolveSchema(document, given);
  const filled = withoutNull(document, schema);
  const items = resolveSchema(document, filled.items);
  return {
    name,
    type: typeOf(document, schema),
    isRequired,
    // Many of a kind are described once, as one of them.
    text: schema.description ?? filled.description ?? items.description ?? "",
    limits: limitsOf(filled),
    choices: choicesOf(filled.type === "array" ? items : filled),
    fields: fieldsOf(document, [filled.type === "array" ? items : filled]),
  };
}

/** The fields of something that has one of several forms: those of all of them. One that every form wants is required. */
export function fieldsOf(document: OpenApiDocument, given: Schema[]): SchemaField[] {
  const forms = given.flatMap((schema) => formsOf(document, schema));
  const names = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].map((name) => {
    const isRequired = forms.every(({ required = [] }) => required.includes(name));
    const schema = forms.find(({ properties = {} }) => name in properties)?.properties?.[name];
    return fieldOf(document, name, schema ?? {}, isRequired);
  });
}

/** Of a choice between whole objects, each of them; a choice between sets of required fields is none. */
function formsOf(document: OpenApiDocument, given: Schema): Schema[] {
  const schema = resolveSchema(document, given);
  return schema.properties ? [schema] : (schema.anyOf ?? []).flatMap((form) => formsOf(document, form));
}

function withoutNull(document: OpenApiDocument, schema: Schema): Schema {
  const filled = schema.anyOf?.find(({ type }) => type !== "null");
  return filled && !schema.properties ? resolveSchema(document, filled) : schema;
}

function typeOf(document: OpenApiDocument, given: Schema): string {
  const schema = resolveSchema(document, given);
  const { type, format, anyOf, items, additionalProperties, properties } = schema;
  if (anyOf && !properties) return listed([...new Set(anyOf.map((form) => typeOf(document, form)))]);
  if (Array.isArray(type)) return listed(type);
  if (type === "array") return `array of ${plural(typeOf(document, items ?? {}))}`;
  if (type === "object" && !properties && typeof additionalProperties === "object" && additionalProperties.type) {
    return `object of ${plural(typeOf(document, additionalProperties))}`;
  }
  return FORMATS[format ?? ""] ?? type ?? "any value";
}

function plural(type: string): string {
  return type.replace(/\w+/g, (word) => (/^(or|and|of|any|null)$/.test(word) ? word : `${word}s`));
}

function listed(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function choicesOf({ enum: values, const: only }: Schema): string[] {
  return only === undefined ? (values ?? []).filter((value) => value !== null).map(String) : [String(only)];
}

function limitsOf(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, maxProperties, pattern, format } = schema;
  return [
    range(minLength, maxLength, "characters"),
    range(minimum, maximum === LARGEST ? undefined : maximum, ""),
    range(minItems, maxItems, "items"),
    range(undefined, maxProperties, "names"),
    // A format says the same in a word, and what holds of every text is no field's own limit.
    pattern === undefined || pattern === ANY_TEXT || format ? "" : `matches \`${pattern}\``,
    schema.default === undefined ? "" : `\`${JSON.stringify(schema.default)}\` when left out`,
  ].filter((limit) => limit !== "");
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const words = (text: string) => (unit ? `${text} ${unit}` : text);
  if (most !== undefined) {
    const hasBoth = least !== undefined && (least > 0 || unit === "");
    return words(hasBoth ? `${formatNumber(least)} to ${formatNumber(most)}` : `at most ${formatNumber(most)}`);
  }
  if (least === undefined) return "";
  return unit && least === 1 ? "not empty" : words(`${formatNumber(least)} or more`);
}
