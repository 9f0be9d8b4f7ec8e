import { describe, expect, it } from "vitest";
import { draftOf, editTemplate, NEW_TEMPLATE, ownText, variablesText } from "@/components/templates/template-draft";

const KEPT = {
  id: "tpl_1",
  name: "Invoice",
  slug: "invoice",
  promptTemplate: "Sum up.",
  variables: {},
  tags: ["v1, final", "sales"],
  usageCount: 0,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  version: 1,
};

describe("the draft of an edited template", () => {
  it("keeps tags with commas, which the API takes, while another field is changed", () => {
    expect(draftOf({ ...editTemplate(KEPT), name: "Bill" })).toEqual({
      name: "Bill",
      promptTemplate: "Sum up.",
      variables: {},
      description: "",
      tags: ["v1, final", "sales"],
    });
  });

  it("takes tags as they are typed, with commas between them, each once", () => {
    expect(draftOf({ ...NEW_TEMPLATE, tags: " a,b ,, a" }).tags).toEqual(["a", "b"]);
    expect(draftOf({ ...editTemplate(KEPT), tags: "" }).tags).toEqual([]);
  });
});

it("finds the text of a variable of any name, and none of what every object has", () => {
  expect(ownText({ constructor: "a text" }, "constructor")).toBe("a text");
  expect(ownText({}, "constructor")).toBeUndefined();
});

it("compares defaults by name, in whichever order they were typed", () => {
  expect(variablesText({ b: "2", c: "3", a: "1" })).toBe("a = 1\nb = 2\nc = 3");
});
