/**
 * The JSON Schema that a client wants its answer to fit (beyond). What is taken is what every value of an answer can be held
 * against in little time, whoever wrote it: no references that lead back to themselves, nothing that looks further than one level.
 */
export type OutputSchema = { readonly [keyword: string]: unknown };

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
/** Whether it is true or false. */
export const isFlag = (value: unknown) => typeof value === "boolean";
/** Whether it is a list with something in it. */
export const isList = (value: unknown) => Array.isArray(value) && value.length > 0;
const isType = (value: unknown) => typeof value === "string" && TYPES.includes(value);

const TEXT = { isValid: isText, must: "must be a string" };
const NUMBER = { isValid: isNumber, must: "must be a number" };
const COUNT = { isValid: isCount, must: "must be a whole number of at least 0" };
const FLAG = { isValid: isFlag, must: "must be true or false" };
const ANYTHING = { isValid: () => true, must: "" };

/** Keywords with values of their own, that hold no schemas. */
export const PLAIN_KEYWORDS: Record<string, { isValid(value: unknown): boolean; must: string }> = {
  type: {
    isValid: (value) => isType(value) || (isList(value) && (value as unknown[]).every(isType)),
    must: `must be one of: ${TYPES.join(", ")}; or a list of them`,
  },
  required: {
    isValid: (value) => Array.isArray(value) && value.every(isText),
    must: "must be a list of names",
  },
  enum: { isValid: isList, must: "must be a list with at least one value" },
  const: ANYTHING,
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: NUMBER,
  exclusiveMaximum: NUMBER,
  multipleOf: { isValid: (value) => isNumber(value) && Number(value) > 0, must: "must be a number above 0" },
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minProperties: COUNT,
  maxProperties: COUNT,
  uniqueItems: FLAG,
  pattern: TEXT,
  format: TEXT,
  title: TEXT,
  description: TEXT,
  default: ANYTHING,
  examples: { isValid: Array.isArray, must: "must be a list" },
};

/** Keywords whose value is a list of schemas. */
export const LISTS_OF_SCHEMAS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
/** Keywords whose value is one schema, or true or false. */
export const ONE_SCHEMA: ReadonlySet<string> = new Set(["items", "additionalProperties", "propertyNames"]);
/** All that are taken, for people. */
export const KEYWORDS = [
  ...Object.keys(PLAIN_KEYWORDS),
  "properties",
  ...ONE_SCHEMA,
  ...LISTS_OF_SCHEMAS,
  "$ref",
  "$defs",
];

/** Whether it is an object of JSON, as a schema is. */
export function isObject(value: unknown): value is OutputSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
