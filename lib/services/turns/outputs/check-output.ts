import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { LISTS_OF_SCHEMAS, ONE_SCHEMA, type OutputSchema } from "@/lib/domain/schema-keywords";
import { widthOf } from "@/lib/domain/schema-width";

/**
 * Told to the model and not checked: a pattern can take for ever, of formats everybody knows others, and finding twins among
 * many values takes their square.
 */
const UNCHECKED = new Set(["pattern", "format", "uniqueItems"]);
const MAX_FAULTS = 5;
/** Values times the schemas that each is held against: some 0.5 s, in which the process does nothing else. */
const MAX_WORK = 1_000_000;
/** In a larger answer only the first fault is found: all of them may be too many to hold. */
const WORK_FOR_ALL = 10_000;
/** They say that something below them is wrong, which stands there too. */
const OUTER_KEYWORDS = new Set([
  "properties",
  "additionalProperties",
  "items",
  "prefixItems",
  "propertyNames",
  "allOf",
]);

/**
 * Holds a model's answer against the schema that the client gave.
 * @returns the JSON as the model wrote it, without thoughts before it or a fence of code around it; or what is wrong, for the model to mend
 */
export function checkOutput(schema: OutputSchema, text: string): { output: string } | { fault: string } {
  const output = withoutFence(withoutThoughts(text.trim()));
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    return { fault: "It is not JSON, or not JSON alone." };
  }
  const work = widthOf(schema) * countValues(value);
  if (work > MAX_WORK) return { fault: "It holds too many values to be checked." };
  const { valid, errors } = new Validator(checkable(schema) as Schema, "2020-12", work > WORK_FOR_ALL).validate(value);
  return valid ? { output } : { fault: describeFaults(errors) };
}

function countValues(value: unknown): number {
  let count = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    count++;
    if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) open.push(inner);
  }
  return count;
}

/** Where nobody parts the two, models that think aloud say so between marks, of which some servers leave the second alone. */
function withoutThoughts(text: string): string {
  const end = text.startsWith("{") ? -1 : text.lastIndexOf(THOUGHTS_END);
  return end === -1 ? text : text.slice(end + THOUGHTS_END.length).trim();
}

const THOUGHTS_END = "</think>";

/** Small models put what they are asked for into a block of code, whatever they are told. */
function withoutFence(text: string): string {
  const isFenced = text.length >= 2 * FENCE.length && text.startsWith(FENCE) && text.endsWith(FENCE);
  return isFenced
    ? text
        .slice(FENCE.length, -FENCE.length)
        .replace(/^[a-z]+/i, "")
        .trim()
    : text;
}

const FENCE = "```";

function describeFaults(errors: OutputUnit[]): string {
  const inner = errors.filter(({ keyword }) => !OUTER_KEYWORDS.has(keyword));
  const told = (inner.length > 0 ? inner : errors).slice(0, MAX_FAULTS);
  return told.map(({ instanceLocation, error }) => `${instanceLocation}: ${wordsOf(error)}`).join("\n");
}

/** The checker says of what has no place in the schema by which of its own rules that is. */
function wordsOf(error: string): string {
  return error === "False boolean schema." ? "This is not in the schema. Leave it out." : error;
}

function checkable(schema: OutputSchema): OutputSchema {
  const entries = Object.entries(schema).filter(([keyword]) => !UNCHECKED.has(keyword));
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, checkableValue(keyword, value)]));
}

function checkableValue(keyword: string, value: unknown): unknown {
  if (keyword === "properties") {
    const properties = Object.entries(value as Record<string, OutputSchema>);
    return Object.fromEntries(properties.map(([name, schema]) => [name, checkable(schema)]));
  }
  if (LISTS_OF_SCHEMAS.has(keyword)) return (value as OutputSchema[]).map(checkable);
  return ONE_SCHEMA.has(keyword) && typeof value === "object" ? checkable(value as OutputSchema) : value;
}
