import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/domain/errors";
import { failureOf } from "@/lib/panel/action-failure";

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
