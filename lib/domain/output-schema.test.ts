import { describe, expect, it } from "vitest";
import { isStrict, MAX_OUTPUT_SCHEMA_CHARACTERS, readOutputSchema } from "@/lib/domain/output-schema";

const text = { type: "string" };
const objectOf = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const read = (value: unknown) => {
  const result = readOutputSchema(value);
  return "schema" in result ? result.schema : [result.fault.path.join("."), result.fault.message];
};

describe("readOutputSchema", () => {
  it("keeps a schema as it is, in the order of its words", () => {
    const schema = objectOf(
      {
        total: { type: ["number", "null"], minimum: 0, description: "With tax" },
        lines: { type: "array", items: text },
      },
      { required: ["total", "lines"], additionalProperties: false, title: "Invoice" },
    );
    expect(JSON.stringify(read(schema))).toBe(JSON.stringify(schema));
  });

  it("writes references out, as libraries for Python and TypeScript make them", () => {
    const address = { title: "Address", ...objectOf({ city: { $ref: "#/$defs/City" } }) };
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $defs: { Address: address, City: text },
      ...objectOf({
        home: { $ref: "#/$defs/Address", description: "Where they live" },
        work: { $ref: "#/$defs/Address" },
      }),
    };
    const written = { title: "Address", ...objectOf({ city: text }) };
    expect(read(schema)).toEqual(objectOf({ home: { ...written, description: "Where they live" }, work: written }));
    const older = { definitions: { "a/b": text }, ...objectOf({ x: { $ref: "#/definitions/a~1b" } }) };
    expect(read(older)).toEqual(objectOf({ x: text }));
  });

  it("takes lists by place and names of a kind, and leaves out what says nothing of the value", () => {
    const pair = { type: "array", prefixItems: [text, { type: "number" }], items: false, minItems: 2 };
    const map = { type: "object", propertyNames: { type: "string", maxLength: 3 }, additionalProperties: text };
    const said = { discriminator: { propertyName: "kind" }, deprecated: true, contentEncoding: "base64" };
    expect(read(objectOf({ pair, map, said: { ...text, ...said } }))).toEqual(objectOf({ pair, map, said: text }));
  });

  it("takes what libraries write whose words are older or their own", () => {
    // zod-to-json-schema with a name, Pydantic and victools for what is returned: all of it is a reference.
    const named = {
      $schema: "http://json-schema.org/draft-07/schema#",
      definitions: { Invoice: objectOf({ a: text }) },
    };
    expect(read({ $ref: "#/definitions/Invoice", ...named })).toEqual(objectOf({ a: text }));
    // .NET: an object may be null, a type stands where it came first, and anything is `true`.
    const work = { $ref: "#/properties/home", description: "Where they work" };
    expect(
      read({ ...objectOf({ home: objectOf({ city: text }), work, more: true }), type: ["object", "null"] }),
    ).toEqual(
      objectOf({
        home: objectOf({ city: text }),
        work: { ...objectOf({ city: text }), ...work, $ref: undefined },
        more: {},
      }),
    );
    // Names of generic types.
    const box = { $defs: { "Box<Int> 1~/2": text }, ...objectOf({ a: { $ref: "#/$defs/Box%3CInt%3E%201~0~12" } }) };
    expect(read(box)).toEqual(objectOf({ a: text }));
    // Drafts before 2020-12.
    const tuple = { type: "array", items: [text, { type: "null" }], additionalItems: false, minItems: 2 };
    expect(JSON.stringify(read(objectOf({ tuple })))).toBe(
      JSON.stringify(objectOf({ tuple: { type: "array", prefixItems: tuple.items, items: false, minItems: 2 } })),
    );
  });

  it("keeps names that objects have of themselves", () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"null"}}}',
    );
    expect(JSON.stringify(read(schema))).toBe(JSON.stringify(schema));
  });

  it.each([
    ["no schema", "an invoice", "", "must be an object"],
    ["a list", [], "", "must be an object"],
    ["a list as the whole answer", { type: "array", items: text }, "type", 'must be "object"'],
    ["a choice as the whole answer", { anyOf: [objectOf({})] }, "type", 'must be "object"'],
    ["an unknown type", objectOf({ a: { type: "text" } }), "properties.a.type", "must be one of: object, array"],
    ["a keyword that is not taken", objectOf({ a: { if: text } }), "properties.a.if", "is not a keyword that is taken"],
    ["a keyword with the wrong value", objectOf({ a: { minLength: -1 } }), "properties.a.minLength", "at least 0"],
    ["an object's own words", objectOf({ a: { toString: 1 } }), "properties.a.toString", "is not a keyword"],
    ["no schema within", objectOf({ a: false }), "properties.a", "must be an object"],
    ["no list of schemas", objectOf({ a: { anyOf: {} } }), "properties.a.anyOf", "must be a list"],
    ["names that are none", objectOf({}, { required: "a" }), "required", "must be a list of names"],
    ["a reference to nothing", objectOf({ a: { $ref: "#/$defs/No" } }), "properties.a.$ref", "must lead to a place"],
    [
      "a reference elsewhere",
      objectOf({ a: { $ref: "https://x.example/s" } }),
      "properties.a.$ref",
      "must lead to a place",
    ],
    [
      "a rule beside a reference",
      { $defs: { A: text }, ...objectOf({ a: { $ref: "#/$defs/A", minLength: 1 } }) },
      "properties.a.minLength",
      'must not stand beside "$ref"',
    ],
    [
      "a reference to all of it",
      objectOf({ a: { items: { $ref: "#" } } }),
      "properties.a.items.$ref.properties.a.items.$ref",
      "back",
    ],
    [
      "lists by place in two ways",
      objectOf({ a: { items: [text], prefixItems: [text] } }),
      "properties.a.items",
      "beside",
    ],
    ["what stands around it in a request", { name: "x", schema: objectOf({}) }, "", 'around it in "response_format"'],
    [
      "OpenAPI's word for null",
      objectOf({ a: { ...text, nullable: true } }),
      "properties.a.nullable",
      '["string", "null"]',
    ],
    [
      "a reference that leads back",
      { $defs: { A: objectOf({ again: { $ref: "#/$defs/A" } }) }, ...objectOf({ a: { $ref: "#/$defs/A" } }) },
      "properties.a.$ref.properties.again.$ref",
      "must not lead back to itself",
    ],
  ])("refuses %s, and says where", (_what, schema, path, message) => {
    expect(read(schema)).toEqual([path, expect.stringContaining(message)]);
  });

  it("refuses what grows too large, before it has grown", () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => {
        const next = { $ref: `#/$defs/l${level + 1}` };
        return [`l${level}`, { allOf: [next, next] }];
      }),
    );
    const bomb = { $defs: { ...doubling, l40: text }, ...objectOf({ a: { $ref: "#/$defs/l0" } }) };
    expect(read(bomb)).toEqual([expect.any(String), expect.stringContaining("must have at most")]);
    const long = objectOf({ a: { description: "x".repeat(MAX_OUTPUT_SCHEMA_CHARACTERS) } });
    expect(read(long)).toEqual(["", expect.stringContaining(`at most ${MAX_OUTPUT_SCHEMA_CHARACTERS} characters`)]);
    const choices = { anyOf: Array.from({ length: 100 }, () => text) };
    expect(read(objectOf({ a: choices }))).toEqual([
      "",
      expect.stringContaining("more than 100 schemas for one value"),
    ]);
    let deep: object = text;
    for (let level = 0; level < 100_000; level++) deep = { items: deep };
    expect(read(objectOf({ a: deep }))).toEqual([expect.any(String), expect.stringContaining("levels")]);
  });
});

describe("isStrict", () => {
  const closed = (properties: object) =>
    objectOf(properties, { required: Object.keys(properties), additionalProperties: false });

  it.each([
    ["all is named and required", closed({ a: text, b: { type: "array", items: closed({ c: text }) } }), true],
    ["something may be missing", objectOf({ a: text }, { additionalProperties: false }), false],
    ["more may come", objectOf({ a: text }, { required: ["a"] }), false],
    ["an object within is open", closed({ a: { anyOf: [{ type: "null" }, objectOf({})] } }), false],
    ["a keyword is not of every provider", closed({ a: { type: "string", pattern: "^a" } }), false],
  ])("where %s", (_what, schema, expected) => {
    expect(isStrict(schema)).toBe(expected);
  });
});
