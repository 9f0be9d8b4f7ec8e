import {
  isFlag,
  isList,
  isObject,
  KEYWORDS,
  LISTS_OF_SCHEMAS,
  ONE_SCHEMA,
  type OutputSchema,
  PLAIN_KEYWORDS,
} from "@/lib/domain/schema-keywords";
import { widthOf } from "@/lib/domain/schema-width";

/** As JSON, with its references written out. */
export const MAX_OUTPUT_SCHEMA_CHARACTERS = 16_000;
const MAX_SCHEMAS = 1_000;
const MAX_LEVELS = 20;
/** Schemas that one value may be held against. */
const MAX_WIDTH = 100;

/** What is wrong with a schema: where, and in words that follow the name of that place. */
export interface SchemaFault {
  path: string[];
  message: string;
}

/** What may stand beside a reference: it says something of the place, not of the value. */
const BESIDE_REFERENCE = ["title", "description", "default", "examples"];
/** For readers of the schema alone. */
const LEFT_OUT = new Set([
  ...["$schema", "$id", "$comment", "$defs", "definitions", "discriminator"],
  ...["deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"],
]);

/** How drafts before 2020-12 wrote lists whose places differ, and Pydantic 1 and Zod for them still do. */
const OF_OLD_TUPLES = new Map([
  ["items", "prefixItems"],
  ["additionalItems", "items"],
]);

/**
 * Reads a client's schema: checked, and with its references written out, as not every model's server knows them.
 * @returns the schema in the order of its words, or the first fault that was found
 */
export function readOutputSchema(value: unknown): { schema: OutputSchema } | { fault: SchemaFault } {
  try {
    if (!isObject(value)) throw new Fault([], "must be an object: a JSON Schema");
    if (isObject(value.schema) || isObject(value.json_schema)) throw new Fault([], WRAPPED);
    const schema = asAnswer(new Reader(value).read(value, [], []));
    if (schema.type !== "object") throw new Fault(["type"], 'must be "object": an answer is one JSON object');
    if (JSON.stringify(schema).length > MAX_OUTPUT_SCHEMA_CHARACTERS) throw new Fault([], TOO_LONG);
    if (widthOf(schema) > MAX_WIDTH) throw new Fault([], TOO_WIDE);
    return { schema };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: { path: error.path, message: error.message } };
  }
}

/**
 * Whether providers hold a model to the schema word by word: those that do take only objects which name all that may be in them,
 * all of it required.
 */
export function isStrict(schema: OutputSchema): boolean {
  for (const each of schemasIn(schema)) {
    if (Object.keys(each).some((keyword) => !STRICT_KEYWORDS.has(keyword))) return false;
    const isOfObject = [each.type].flat().includes("object") || each.properties !== undefined;
    if (isOfObject && !isClosed(each)) return false;
  }
  return true;
}

const STRICT_KEYWORDS = new Set([
  ...["type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const"],
  ...["title", "description", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minItems", "maxItems"],
]);

function isClosed({ properties = {}, required = [], additionalProperties }: OutputSchema): boolean {
  const names = Object.keys(properties as object);
  return additionalProperties === false && names.every((name) => (required as string[]).includes(name));
}

/** Each schema in a schema, itself first. */
function* schemasIn(schema: OutputSchema): Generator<OutputSchema, void> {
  yield schema;
  const inner = Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === "properties") return Object.values(value as object);
    return ONE_SCHEMA.has(keyword) || LISTS_OF_SCHEMAS.has(keyword) ? [value].flat() : [];
  });
  for (const each of inner) if (isObject(each)) yield* schemasIn(each);
}

/** .NET writes that every object may be null instead; an answer is there. */
function asAnswer(schema: OutputSchema): OutputSchema {
  return [schema.type].flat().includes("object") ? { ...schema, type: "object" } : schema;
}

const WRAPPED = 'must be the schema itself, without what stands around it in "response_format"';

const TOO_LONG = `must have at most ${MAX_OUTPUT_SCHEMA_CHARACTERS} characters as JSON, with its references written out`;

const TOO_WIDE = `must not leave more than ${MAX_WIDTH} schemas for one value: name fewer choices in anyOf, oneOf, allOf and enum`;

class Fault extends Error {
  constructor(
    readonly path: string[],
    message: string,
  ) {
    super(message);
  }
}

class Reader {
  #count = 0;

  constructor(private readonly root: OutputSchema) {}

  /** @param references that led here */
  read(value: unknown, path: string[], references: string[]): OutputSchema {
    if (value === true) return {};
    if (!isObject(value)) throw new Fault(path, "must be an object: a JSON Schema");
    if (path.length > 2 * MAX_LEVELS) throw new Fault(path, `must have at most ${MAX_LEVELS} levels`);
    this.#count++;
    if (this.#count > MAX_SCHEMAS) throw new Fault([], TOO_LONG);
    if (Object.hasOwn(value, "$ref")) return this.#follow(value, path, references);
    const isTuple = Array.isArray(value.items);
    if (isTuple && value.prefixItems !== undefined) {
      throw new Fault([...path, "items"], 'must not be a list beside "prefixItems"');
    }
    const entries = Object.entries(value).filter(([keyword]) => !LEFT_OUT.has(keyword));
    return Object.fromEntries(
      entries.map(([written, inner]) => {
        const keyword = (isTuple ? OF_OLD_TUPLES.get(written) : undefined) ?? written;
        return [keyword, this.#readKeyword(keyword, inner, [...path, written], references)];
      }),
    );
  }

  #readKeyword(keyword: string, value: unknown, path: string[], references: string[]): unknown {
    if (LISTS_OF_SCHEMAS.has(keyword)) {
      if (!isList(value)) throw new Fault(path, "must be a list with at least one schema");
      return (value as unknown[]).map((each, index) => this.read(each, [...path, String(index)], references));
    }
    if (keyword === "properties") {
      if (!isObject(value)) throw new Fault(path, "must be an object of schemas");
      const properties = Object.entries(value);
      return Object.fromEntries(properties.map(([name, each]) => [name, this.read(each, [...path, name], references)]));
    }
    // That more may come, or must not, is said by true and false.
    if (ONE_SCHEMA.has(keyword)) return isFlag(value) ? value : this.read(value, path, references);
    const rule = Object.hasOwn(PLAIN_KEYWORDS, keyword) ? PLAIN_KEYWORDS[keyword] : undefined;
    if (keyword === "nullable") throw new Fault(path, 'is OpenAPI\'s own: write "type": ["string", "null"] instead');
    if (!rule) throw new Fault(path, `is not a keyword that is taken; these are: ${KEYWORDS.join(", ")}`);
    if (!rule.isValid(value)) throw new Fault(path, rule.must);
    return value;
  }

  #follow({ $ref, ...beside }: OutputSchema, path: string[], references: string[]): OutputSchema {
    const wanted = placeIn(this.root, $ref);
    if (wanted === undefined) {
      throw new Fault([...path, "$ref"], 'must lead to a place in this schema, as "#/$defs/Address"');
    }
    if (references.includes(`${$ref}`)) {
      throw new Fault([...path, "$ref"], "must not lead back to itself: write out as many levels as you need");
    }
    const stranger = Object.keys(beside).find(
      (keyword) => !BESIDE_REFERENCE.includes(keyword) && !LEFT_OUT.has(keyword),
    );
    if (stranger !== undefined) {
      throw new Fault([...path, stranger], `must not stand beside "$ref"; only ${BESIDE_REFERENCE.join(", ")} may`);
    }
    const target = this.read(wanted, [...path, "$ref"], [...references, `${$ref}`]);
    return { ...target, ...this.read(beside, path, references) };
  }
}

/** What a reference leads to, by a JSON pointer within the schema; undefined where there is nothing. */
function placeIn(root: OutputSchema, reference: unknown): unknown {
  const [, pointer] = typeof reference === "string" ? (/^#((?:\/[^/]*)*)$/.exec(reference) ?? []) : [];
  if (pointer === undefined) return undefined;
  const names = pointer.split("/").slice(1).map(nameIn);
  return names.reduce<unknown>(
    (place, name) =>
      typeof place === "object" && place !== null && Object.hasOwn(place, name)
        ? (place as OutputSchema)[name]
        : undefined,
    root,
  );
}

function nameIn(step: string): string {
  return decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    // A percent sign of its own.
    return step;
  }
}
