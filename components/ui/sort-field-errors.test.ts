import { describe, expect, it } from "vitest";
import { sortFieldErrors } from "@/components/ui/sort-field-errors";

const hasField = (name: string) => name === "url";

describe("sortFieldErrors", () => {
  it("makes a sentence of what stands at a field", () => {
    expect(sortFieldErrors({ url: "is required" }, hasField)).toEqual({
      fieldErrors: { url: "Is required." },
      formError: null,
    });
  });

  it("leaves out the API's name of a field at the field, where its label stands", () => {
    expect(sortFieldErrors({ url: "url must begin with https://." }, hasField).fieldErrors).toEqual({
      url: "Must begin with https://.",
    });
  });

  it("names the fields that are not there", () => {
    expect(sortFieldErrors({ url: "is required", "tags.0": "must be a string" }, hasField)).toEqual({
      fieldErrors: { url: "Is required." },
      formError: "Tags.0 must be a string.",
    });
  });

  it("leaves sentences as they are", () => {
    expect(sortFieldErrors({ name: "That name is taken.", x: "Too late!" }, hasField).formError).toBe(
      "That name is taken. Too late!",
    );
  });

  it("says what is wrong with the whole", () => {
    expect(sortFieldErrors({ "": "has unknown fields" }, () => false).formError).toBe(
      "What was sent has unknown fields.",
    );
  });

  it("is silent when all is well", () => {
    expect(sortFieldErrors(undefined, hasField)).toEqual({ fieldErrors: {}, formError: null });
  });
});
