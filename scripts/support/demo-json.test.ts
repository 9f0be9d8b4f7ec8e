import { describe, expect, it } from "vitest";
import { readOutputSchema } from "@/lib/domain/output-schema";
import { checkOutput } from "@/lib/services/turns/outputs/check-output";
import { demoJson } from "@/scripts/support/demo-json";

const INVOICE = {
  type: "object",
  properties: {
    number: { type: "string", maxLength: 8 },
    date: { type: ["string", "null"], format: "date" },
    total: { type: "number", exclusiveMinimum: 0 },
    count: { type: "integer", minimum: 3, maximum: 9 },
    currency: { enum: ["EUR", "USD"] },
    paid: { type: "boolean" },
    kind: { const: "invoice" },
    seller: {
      anyOf: [
        { type: "object", properties: { name: { type: "string", minLength: 40 } }, required: ["name"] },
        { type: "null" },
      ],
    },
    lines: { type: "array", minItems: 2, items: { $ref: "#/$defs/Line" } },
    note: { description: "Anything" },
    nothing: { type: "null" },
    place: { type: "array", prefixItems: [{ type: "number" }, { type: "string" }], items: false },
  },
  required: [
    "number",
    "date",
    "total",
    "count",
    "currency",
    "paid",
    "kind",
    "seller",
    "lines",
    "note",
    "nothing",
    "place",
  ],
  additionalProperties: false,
  $defs: {
    Line: { allOf: [{ type: "object", required: ["text"] }, { properties: { text: { type: "string" } } }] },
  },
};

describe("the JSON of the demo model", () => {
  it("fits a schema of every kind of field, and says that it is a demo", () => {
    const read = readOutputSchema(INVOICE);
    if ("fault" in read) throw new Error(read.fault.message);
    const text = JSON.stringify(demoJson(read.schema));
    expect(checkOutput(read.schema, text)).toEqual({ output: text });
    expect(text).toContain("Demo: no AI model is connected");
  });
});
