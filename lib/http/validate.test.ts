import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AppError } from "@/lib/domain/errors";
import { validate } from "@/lib/http/validate";

/** What a client is told of a value. */
function refusalOf(schema: z.ZodType, value: unknown): AppError {
  try {
    validate(schema, value);
  } catch (error) {
    return error as AppError;
  }
  throw new Error("The value was taken.");
}

describe("validate", () => {
  it("names a field as the client would write it, within lists too", () => {
    const schema = z.strictObject({ tags: z.array(z.strictObject({ name: z.string() })) });
    const { details } = refusalOf(schema, { tags: [{ name: "a" }, { name: 1 }, { name: "b", size: 2 }] });
    expect(details?.map(({ param }) => param)).toEqual(["tags[1].name", "tags[2].size"]);
  });

  it("names a list's own part by its number alone", () => {
    const { details } = refusalOf(z.array(z.string()), ["a", 2]);
    expect(details?.map(({ param }) => param)).toEqual(["[1]"]);
  });

  it("puts a name of nothing but blanks in quotes: without them the message named no field", () => {
    const refusal = refusalOf(z.strictObject({}), { "": 1, " ": 2 });
    expect(refusal.message).toBe('"" is not a known field (1 more in details).');
    expect(refusal.param).toBe('""');
    expect(refusal.details?.map(({ param }) => param)).toEqual(['""', '" "']);
    const inside = refusalOf(z.object({ vars: z.record(z.string(), z.string()) }), { vars: { "": 1 } });
    expect(inside.param).toBe('vars.""');
  });

  it("cuts a name of any length at 100 characters, and leaves no half of one: clients could not read the error", () => {
    expect(refusalOf(z.strictObject({}), { ["n".repeat(300)]: 1 }).param).toBe("n".repeat(100));
    const halved = refusalOf(z.strictObject({}), { [`${"n".repeat(99)}👋`]: 1 });
    expect(halved.param).toBe("n".repeat(99));
    expect(halved.message).toBe(`${"n".repeat(99)} is not a known field.`);
  });
});
