import { expect, it } from "vitest";
import { widthOf } from "@/lib/domain/schema-width";

const text = { type: "string" };
const choice = (count: number, of: object = text) => ({ anyOf: Array.from({ length: count }, () => of) });
const listOf = (items: object) => ({ type: "array", items });

it.each([
  ["one for each value where there are no choices", listOf(listOf(text)), 1],
  ["the choices, and the schema that names them", listOf(choice(10)), 11],
  ["choices within choices", choice(3, choice(4)), 1 + 3 * 5],
  ["the choices of all lists that a value may be in", choice(10, listOf(choice(10))), 110],
  [
    "what an object's further values may be, beside those that it names",
    {
      allOf: [{ properties: { a: text } }, { additionalProperties: choice(5) }],
    },
    7,
  ],
])("counts %s", (_what, schema, width) => {
  expect(widthOf(schema)).toBeGreaterThanOrEqual(width);
  expect(widthOf(schema)).toBeLessThan(width + 1);
});

it("counts long lists of names and values", () => {
  expect(widthOf({ enum: Array.from({ length: 200 }, (_, index) => index) })).toBe(11);
});

it("gives up on what takes long to count", () => {
  const each = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`n${index}`, text]));
  let schema: object = { properties: each, additionalProperties: text };
  for (let level = 0; level < 6; level++) schema = { allOf: [{ properties: each }, { additionalProperties: schema }] };
  expect(widthOf(schema as { allOf: [] })).toBe(Number.POSITIVE_INFINITY);
});
