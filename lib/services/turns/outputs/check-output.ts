import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { OutputSchema } from "@/lib/domain/output-schema";

/**
 * Told to the model and not checked: a pattern can take for ever, of formats everybody knows others, and finding twins among
 * many values takes their square.
 */
const UNCHECKED = new Set(["pattern", "format", "uniqueItems"]);
const MAX_FAULTS = 5;
/** They say that something below them is wrong, which stands there too. */
const OUTER_KEYWORDS = new Set(["properties", "additionalProperties", "items", "allOf"]);

/**
 * Holds a model's answer against the schema that the client gave.
 * @returns the JSON as the model wrote it, without a fence of code around it; or what is wrong, for the model to mend
 */
export function checkOutput(schema: OutputSchema, text: string): { output: string } | { fault: string } {
  const output = withoutFence(text.trim());
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    return { fault: "It is not JSON, or not JSON alone." };
  }
  const { valid, errors } = new Validator(checkable(schema) as Schema, "2020-12", false).validate(value);
  return valid ? { output } : { fault: describeFaults(errors) };
}

/** Small models put what they are asked for into a block of code, whatever they are told. */
function withoutFence(text: string): string {
  return /^```[a-z]*\n([\s\S]*?)\n?```$/i.exec(text)?.[1]?.trim() ?? text;
}

function describeFaults(errors: OutputUnit[]): string {
  const inner = errors.filter(({ keyword }) => !OUTER_KEYWORDS.has(keyword));
  const told = (inner.length > 0 ? inner : errors).slice(0, MAX_FAULTS);
  return told.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`).join("\n");
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
  if (keyword === "anyOf" || keyword === "oneOf" || keyword === "allOf")
    return (value as OutputSchema[]).map(checkable);
  const isSchema = keyword === "items" || (keyword === "additionalProperties" && typeof value === "object");
  return isSchema ? checkable(value as OutputSchema) : value;
}
