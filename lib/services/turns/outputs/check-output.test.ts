import Ajv from "ajv/dist/2020";
import { describe, expect, it } from "vitest";
import { readOutputSchema } from "@/lib/domain/output-schema";
import type { OutputSchema } from "@/lib/domain/schema-keywords";
import { checkOutput } from "@/lib/services/turns/outputs/check-output";

const INVOICE = {
  type: "object",
  properties: { total: { type: "number" }, lines: { type: "array", items: { type: "string" } } },
  required: ["total"],
  additionalProperties: false,
};

describe("checkOutput", () => {
  it.each([
    ["as it is", '{"total": 1.50}', '{"total": 1.50}'],
    ["without blanks around it", '\n {"total":1}\n', '{"total":1}'],
    ["without a fence of code", '```json\n{"total":1}\n```', '{"total":1}'],
    ["without a fence of other lines", '```JSON\r\n{"total":1}\r\n```', '{"total":1}'],
    ["without a fence on its line", '```json {"total":1}```', '{"total":1}'],
    ["without thoughts before it", '<think>\nIs {"total":2} right?\n</think>\n\n{"total":1}', '{"total":1}'],
    ["without thoughts that only end", 'Is it 2?\n</think>\n```json\n{"total":1}\n```', '{"total":1}'],
    ["with what looks like thoughts in it", '{"total":1,"lines":["</think>{}"]}', '{"total":1,"lines":["</think>{}"]}'],
    ["with numbers as they were written", '{"total":12345678901234567890.10}', '{"total":12345678901234567890.10}'],
  ])("takes JSON that fits, %s", (_how, text, output) => {
    expect(checkOutput(INVOICE, text)).toEqual({ output });
  });

  it.each([
    ["words", "The total is 5.", "not JSON"],
    ["nothing", "", "not JSON"],
    ["words before it", 'Here it is: {"total":1}', "not JSON"],
    ["half of it", '{"total":', "not JSON"],
    ["thoughts alone", "<think>\nIs it 5?\n</think>", "not JSON"],
    ["a fence alone", "```", "not JSON"],
    ["another type", '{"total":"5"}', "#/total: "],
    ["something missing", "{}", '"total"'],
    ["something more", '{"total":1,"tax":2}', "#/tax: This is not in the schema. Leave it out."],
    ["a wrong thing far within", '{"total":1,"lines":["a",2]}', "#/lines/1: "],
    ["no object", "[1]", "#: "],
  ])("says what is wrong with %s", (_what, text, fault) => {
    expect(checkOutput(INVOICE, text)).toEqual({ fault: expect.stringContaining(fault) });
  });

  it("does not check patterns, which can take for ever, nor formats and twins", () => {
    const properties = {
      a: { type: "string", pattern: "^(x+x+)+y$", format: "date-time" },
      b: { type: "array", uniqueItems: true },
    };
    const text = JSON.stringify({ a: "x".repeat(10_000), b: Array.from({ length: 100_000 }, () => 1) });
    expect(checkOutput({ type: "object", properties }, text)).toEqual({ output: text });
  });

  it("takes little time for what is long and wide, whether it fits or not", () => {
    const choices = { anyOf: Array.from({ length: 90 }, (_, index) => ({ const: index })) };
    const schema = { type: "object", properties: { a: { type: "array", items: choices } } };
    const listOf = (count: number, value: number) => JSON.stringify({ a: Array.from({ length: count }, () => value) });
    expect(checkOutput(schema, listOf(10_000, 89))).toEqual({ output: listOf(10_000, 89) });
    expect(checkOutput(schema, listOf(10_000, 90))).toEqual({ fault: expect.stringContaining("#/a/0") });
    expect(checkOutput(schema, listOf(50_000, 90))).toEqual({ fault: "It holds too many values to be checked." });
    const plain = { type: "object", properties: { a: { type: "array", items: { type: "integer" } } } };
    expect(checkOutput(plain, listOf(500_000, 1))).toHaveProperty("output");
    expect(checkOutput(plain, listOf(500_000, 1.5))).toEqual({ fault: expect.stringContaining("#/a/0") });
    let deep = "[]";
    for (let level = 0; level < 5_000; level++) deep = `[${deep}]`;
    expect(checkOutput(plain, `{"b":${deep}}`)).toHaveProperty("output");
  });

  it("judges as another validator does, whatever the schema and the value", () => {
    const random = randomOf(20_261_129);
    const ajv = new Ajv({ strict: false, logger: false });
    let fitting = 0;
    for (let round = 0; round < 150; round++) {
      const schema = { ...schemaOf(random, 3), type: "object" };
      const read = readOutputSchema(schema);
      if ("fault" in read) throw new Error(`${JSON.stringify(schema)}: ${read.fault.message}`);
      const judge = ajv.compile(schema);
      for (let count = 0; count < 8; count++) {
        const value = anyValue(random, 3);
        const isFitting = judge(value);
        if (isFitting) fitting++;
        const judged = "output" in checkOutput(read.schema, JSON.stringify(value));
        expect([schema, value, judged]).toEqual([schema, value, isFitting]);
      }
    }
    expect(fitting).toBeGreaterThan(20);
  });
});

interface Random {
  number(): number;
  pick<Item>(items: readonly Item[]): Item;
  isOften(share: number): boolean;
}

/** The same numbers for the same seed (mulberry32). */
function randomOf(seed: number): Random {
  let state = seed;
  const number = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    number,
    pick: (items) => items[Math.floor(number() * items.length)] as (typeof items)[number],
    isOften: (share) => number() < share,
  };
}

const NAMES = ["a", "b", "c", "e f"];
const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

function anyValue(random: Random, levels: number): unknown {
  const kind = levels === 0 ? "plain" : random.pick(["object", "object", "list", "plain"]);
  if (kind === "plain") return random.pick(["", "abc", 1.5, -2, 0, 1, 2, 10, true, false, null]);
  const size = Math.floor(random.number() * 4);
  const inner = Array.from({ length: size }, () => anyValue(random, levels - 1));
  return kind === "list" ? inner : Object.fromEntries(inner.map((value) => [random.pick(NAMES), value]));
}

function schemaOf(random: Random, levels: number): OutputSchema {
  const inner = () => schemaOf(random, levels - 1);
  const candidates: [number, OutputSchema][] = [
    [0.6, { type: random.pick(TYPES) }],
    [0.1, { type: [random.pick(TYPES.slice(0, 3)), random.pick(TYPES.slice(3))] }],
    [0.4, { required: [random.pick(NAMES)] }],
    [0.2, { additionalProperties: random.isOften(0.3) }],
    [0.1, { enum: [anyValue(random, 1), anyValue(random, 1)] }],
    [0.06, { const: anyValue(random, 2) }],
    [0.15, { minimum: 1, maximum: 5 }],
    [0.1, { exclusiveMinimum: 0 }],
    [0.1, { multipleOf: 2 }],
    [0.15, { minLength: 1, maxLength: 2 }],
    [0.15, { minItems: 1, maxItems: 2 }],
    [0.1, { minProperties: 1, maxProperties: 2 }],
  ];
  if (levels > 0) {
    candidates.push(
      [0.6, { properties: Object.fromEntries([0, 1].map(() => [random.pick(NAMES), inner()])) }],
      [0.4, { items: inner() }],
      [0.1, { additionalProperties: inner() }],
      [0.1, { propertyNames: { maxLength: 2 } }],
      [0.15, { prefixItems: [inner(), inner()] }],
      ...["anyOf", "oneOf", "allOf"].map((word): [number, OutputSchema] => [0.1, { [word]: [inner(), inner()] }]),
    );
  }
  return Object.assign({}, ...candidates.filter(([share]) => random.isOften(share)).map(([, schema]) => schema));
}
