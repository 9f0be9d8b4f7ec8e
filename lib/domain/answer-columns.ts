import type { CsvCell } from "@/lib/domain/csv";
import { isObject, type OutputSchema } from "@/lib/domain/schema-keywords";
import { parseWritten, writtenNumber } from "@/lib/domain/written-json";

/** Where in answers by a schema the values of a column are: names, from the outside in. */
export type AnswerColumn = readonly string[];

/**
 * The values that a schema names, in its order: those of objects within objects one by one, lists and choices whole.
 * @param schema with its references written out
 */
export function answerColumns(schema: OutputSchema): AnswerColumn[] {
  return Object.entries(propertiesOf(schema) ?? {}).flatMap(([name, each]) => {
    const inner = isObject(each) ? answerColumns(each) : [];
    return inner.length === 0 ? [[name]] : inner.map((names) => [name, ...names]);
  });
}

/**
 * The values of an answer, column by column: numbers with the digits that they were written with, lists and choices as JSON. Null
 * where it has none there, and for what is no JSON.
 */
export function answerCells(columns: readonly AnswerColumn[], answer: string): CsvCell[] {
  const whole = parseWritten(answer);
  return columns.map((names) => cellOf(names.reduce<unknown>(within, whole)));
}

/** Also of an object that may be null, and of one whose choices are all objects. */
function propertiesOf(schema: OutputSchema): Record<string, unknown> | undefined {
  const choices = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : [])) as OutputSchema[];
  const parts = Array.isArray(schema.allOf) ? (schema.allOf as OutputSchema[]) : [];
  const ofChoices = choices.filter(({ type }) => type !== "null").map(propertiesOf);
  if (ofChoices.includes(undefined)) return undefined;
  const own = isObject(schema.properties) ? [schema.properties] : [];
  const named = [...own, ...parts.map(propertiesOf), ...ofChoices].filter((each) => each !== undefined);
  // Entries, as a value may be named __proto__.
  return named.length === 0 ? undefined : Object.fromEntries(named.flatMap((each) => Object.entries(each)));
}

function within(value: unknown, name: string): unknown {
  return isObject(value) && writtenNumber(value) === undefined && Object.hasOwn(value, name) ? value[name] : undefined;
}

function cellOf(value: unknown): CsvCell {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  const digits = writtenNumber(value);
  return digits === undefined ? JSON.stringify(value) : { digits };
}
