import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AppError } from "@/lib/domain/errors";
import { failureOf, parseInput } from "@/lib/panel/action-failure";

describe("failureOf", () => {
  it("names the field that is wrong", () => {
    const error = new AppError("VALIDATION_FAILED", "is taken already", { param: "name" });
    expect(failureOf(error, "templates.create")).toMatchObject({ fieldErrors: { name: "is taken already" } });
  });

  it("has what is of no field stand with the form: that the database is away, and an id for support", () => {
    const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    expect(failureOf(away, "templates.create")).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      fieldErrors: { "": expect.stringMatching(/cannot do this right now\. Try again\.$/) },
    });
    expect(failureOf(new Error("a secret of the inside"), "templates.create")).toMatchObject({
      code: "INTERNAL_ERROR",
      fieldErrors: { "": expect.stringMatching(/^Something went wrong on our side.*this id: req_\w+$/) },
    });
  });

  it("tells whoever presses again while the first press is at work so, without a word of keys", () => {
    const error = new AppError("IDEMPOTENCY_IN_PROGRESS", "The call with this Idempotency-Key is still running.", {
      param: "Idempotency-Key",
    });
    const failure = failureOf(error, "knowledge.create");
    expect(failure.fieldErrors).toEqual({ "": failure.message });
    expect(failure.message).toMatch(/^What you sent before is still at work/);
  });
});

describe("parseInput", () => {
  const schema = z.strictObject({ name: z.string().max(9), tags: z.array(z.string()).or(z.null()).optional() });

  /** As React gives what a browser sends back of a page: a function that throws at whatever is asked of it. */
  const reference = new Proxy(() => {}, {
    get: () => {
      throw new Error("You cannot dot into a temporary client reference.");
    },
  });

  it.each([
    ["a reference", reference],
    ["a reference in a field", { name: reference }],
    ["a reference deep inside", { name: "x", tags: [["y", { z: reference }]] }],
    ["a promise in a field", { name: "x", tags: Promise.resolve([]) }],
  ])("takes %s, which a browser can name and which is no data, for a wrong input", (_, input) => {
    expect(parseInput(schema, input)).toMatchObject({ failure: { code: "VALIDATION_FAILED" } });
  });

  it("looks through what holds itself", () => {
    const input: { name: unknown } = { name: "x" };
    input.name = [input];
    expect(parseInput(schema, input)).toMatchObject({ failure: { fieldErrors: { name: expect.any(String) } } });
  });

  it("leaves files and bytes to the schema", () => {
    const bytes = new Uint8Array(1_000);
    expect(parseInput(z.strictObject({ bytes: z.instanceof(Uint8Array) }), { bytes })).toEqual({ input: { bytes } });
  });
});
