import { describe, expect, it } from "vitest";
import { asOpenApi, type Schema } from "@/components/docs/reference/openapi";
import { fieldOf, fieldsOf } from "@/components/docs/reference/schema-fields";
import { NO_NUL_PATTERN } from "@/lib/domain/limits";

const DOCUMENT = asOpenApi({
  components: {
    schemas: {
      Error: { type: "object", description: "Why.", properties: { code: { type: "string" } }, required: ["code"] },
      Job: { type: "object", properties: { id: { type: "string" }, fileUrl: { type: "string" } }, required: ["id"] },
      Talk: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    },
  },
});
const field = (schema: Schema) => fieldOf(DOCUMENT, "it", schema, true);

describe("fieldOf", () => {
  it.each<[string, Schema]>([
    ["string", { type: "string" }],
    ["string or null", { type: ["string", "null"] }],
    ["date and time or null", { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] }],
    ["array of strings", { type: "array", items: { type: "string" } }],
    ["array of objects", { type: "array", items: { $ref: "#/components/schemas/Job" } }],
    ["object", { $ref: "#/components/schemas/Error" }],
    ["object of strings, numbers or booleans", objectOf(["string", "number", "boolean"])],
    ["file", { type: "string", format: "binary" }],
    ["any value", {}],
  ])("calls it %s", (type, schema) => expect(field(schema).type).toBe(type));

  it.each<[string[], Schema]>([
    [["1 to 200 characters"], { type: "string", minLength: 1, maxLength: 200 }],
    [["at most 10,000 characters"], { type: "string", maxLength: 10_000 }],
    [["not empty"], { type: "string", minLength: 1 }],
    [["1 to 100", "`20` when left out"], { type: "integer", minimum: 1, maximum: 100, default: 20 }],
    [["0 to 5"], { type: "integer", minimum: 0, maximum: 5 }],
    [["0 or more"], { type: "integer", minimum: 0, maximum: 2_147_483_647 }],
    [["1 to 50 items"], { type: "array", minItems: 1, maxItems: 50, items: { type: "string" } }],
    [["at most 1,000 names"], { type: "object", maxProperties: 1_000 }],
    [["matches `^[a-z]+$`"], { type: "string", pattern: "^[a-z]+$" }],
    [["not empty"], { type: "string", minLength: 1, pattern: NO_NUL_PATTERN }],
    [[], { type: "string", format: "date", pattern: "^\\d{4}$" }],
    [["2 or more"], { anyOf: [{ type: "integer", minimum: 2 }, { type: "null" }] }],
  ])("says its limits: %j", (limits, schema) => expect(field(schema).limits).toEqual(limits));

  it("names the values that it may have, also those of its items, and null is none of them", () => {
    expect(field({ type: "string", enum: ["key", "none"] }).choices).toEqual(["key", "none"]);
    expect(field({ type: "string", const: "PUT" }).choices).toEqual(["PUT"]);
    expect(field({ type: "array", items: { type: "string", enum: ["a", "b"] } }).choices).toEqual(["a", "b"]);
    expect(field({ anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] }).choices).toEqual(["a"]);
  });

  it("follows references: what they describe, and what stands in them", () => {
    const found = field({ $ref: "#/components/schemas/Error" });
    expect(found.text).toBe("Why.");
    expect(found.fields).toMatchObject([{ name: "code", isRequired: true }]);
    expect(field({ type: "array", items: { $ref: "#/components/schemas/Error" } }).fields).toHaveLength(1);
  });
});

describe("fieldsOf", () => {
  it("has the fields of all forms, and requires what all of them require", () => {
    const either = { anyOf: [{ $ref: "#/components/schemas/Job" }, { $ref: "#/components/schemas/Talk" }] };
    expect(fieldsOf(DOCUMENT, [either])).toMatchObject([
      { name: "id", isRequired: true },
      { name: "fileUrl", isRequired: false },
    ]);
  });

  it("has none of what is no object", () => {
    expect(fieldsOf(DOCUMENT, [{ type: "string" }])).toEqual([]);
  });
});

function objectOf(type: string[]): Schema {
  return { type: "object", additionalProperties: { type } };
}
