import { isObject, type OutputSchema } from "@/lib/domain/schema-keywords";

/** Schemas that are looked at to find out how many are for one value. */
const MAX_STEPS = 20_000;
/** Names and values that a schema lists cost less to look at than a schema: so many of them count as one. */
const LISTED_AS_ONE = 20;

/**
 * How many schemas one value of an answer is held against at the most: choices stand side by side, and so do the choices within
 * each of them. What checking an answer costs is no more than that for each of its values.
 * @returns Infinity where finding out would take long itself
 */
export function widthOf(schema: OutputSchema): number {
  const steps = { left: MAX_STEPS };
  return widest([schema], steps);
}

function widest(schemas: OutputSchema[], steps: { left: number }): number {
  const here = schemas.flatMap(withChoices);
  if (here.length === 0) return 0;
  steps.left -= here.length;
  if (steps.left < 0) return Number.POSITIVE_INFINITY;
  let most = here.reduce((sum, schema) => sum + 1 + listedIn(schema) / LISTED_AS_ONE, 0);
  for (const below of valuesBelow(here)) most = Math.max(most, widest(below, steps));
  return most;
}

/** Itself, and what the same value is held against beside it. */
function withChoices(schema: OutputSchema): OutputSchema[] {
  const { anyOf = [], oneOf = [], allOf = [] } = schema as Record<string, OutputSchema[] | undefined>;
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap(withChoices)];
}

/** For each place below: the schemas of its value. */
function* valuesBelow(schemas: OutputSchema[]): Generator<OutputSchema[], void> {
  const items = schemas.flatMap(({ items, prefixItems = [] }) => [items, ...(prefixItems as OutputSchema[])]);
  yield items.filter(isObject);
  yield schemas.flatMap(({ propertyNames }) => [propertyNames].filter(isObject));
  const others = schemas.flatMap(({ additionalProperties }) => [additionalProperties].filter(isObject));
  yield others;
  const names = new Set(schemas.flatMap(({ properties }) => Object.keys(properties ?? {})));
  for (const name of names) {
    const named = schemas.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties as object, name) ? [(properties as Record<string, OutputSchema>)[name] ?? {}] : [],
    );
    yield [...named, ...others];
  }
}

function listedIn({ enum: values = [], required = [], properties = {} }: OutputSchema): number {
  return (values as unknown[]).length + (required as unknown[]).length + Object.keys(properties as object).length;
}
