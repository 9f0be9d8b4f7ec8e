import type { OutputSchema } from "@/lib/domain/schema-keywords";

/**
 * JSON that fits a client's schema and that nobody can take for what stands in the data: all fields are there, its texts say
 * that it is a demo, its numbers are the least that may be.
 */
export function demoJson(schema: OutputSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const { anyOf, oneOf, allOf, ...own } = schema as Record<string, unknown>;
  const choice = [anyOf, oneOf].flatMap((choices) => (Array.isArray(choices) ? choices.slice(0, 1) : []));
  const all = Array.isArray(allOf) ? allOf : [];
  if (choice.length + all.length > 0) return demoJson(Object.assign({}, own, ...choice, ...all));
  return OF_TYPE[typeOf(schema)]?.(schema) ?? null;
}

const DEMO_TEXT = "Demo: no AI model is connected";

const OF_FORMAT: Record<string, string> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T09:30:00Z",
  time: "09:30:00Z",
  email: "demo@client.example",
  uri: "https://client.example/demo",
  uuid: "00000000-0000-4000-8000-000000000000",
};

const OF_TYPE: Record<string, (schema: Record<string, unknown>) => unknown> = {
  object: ({ properties = {} }) =>
    Object.fromEntries(Object.entries(properties as object).map(([name, inner]) => [name, demoJson(inner)])),
  array: ({ items = { type: "string" }, prefixItems = [], minItems = 1, maxItems = minItems }) => {
    const first = (prefixItems as OutputSchema[]).map(demoJson);
    const more = Math.max(0, Math.min(Number(minItems), Number(maxItems)) - first.length);
    return [...first, ...Array.from({ length: items === false ? 0 : more }, () => demoJson(items as OutputSchema))];
  },
  string: ({ format, minLength = 0, maxLength = Number.POSITIVE_INFINITY }) =>
    (OF_FORMAT[String(format)] ?? DEMO_TEXT).padEnd(Number(minLength), ".").slice(0, Number(maxLength)),
  number: leastNumber,
  integer: leastNumber,
  boolean: () => false,
};

function typeOf({ type, properties, items }: OutputSchema): string {
  const [first] = [type].flat().filter((name) => name !== "null");
  if (typeof first === "string") return first;
  if (properties) return "object";
  if (items) return "array";
  return type === undefined ? "string" : "null";
}

function leastNumber({ type, minimum, exclusiveMinimum, maximum, multipleOf = 1 }: Record<string, unknown>): number {
  const step = Number(multipleOf);
  const least = Math.max(Number(minimum ?? 0), exclusiveMinimum === undefined ? 0 : Number(exclusiveMinimum) + step);
  const rounded = type === "integer" || multipleOf !== 1 ? Math.ceil(least / step) * step : least;
  return maximum === undefined ? rounded : Math.min(rounded, Number(maximum));
}
