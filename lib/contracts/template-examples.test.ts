import { describe, expect, it } from "vitest";
import { keepExampleInput } from "@/lib/contracts/template-examples";
import { newId } from "@/lib/domain/ids";
import { MAX_MESSAGE_CHARACTERS } from "@/lib/domain/limits";
import { MAX_TEMPLATE_NAME_CHARACTERS, MAX_TEMPLATE_VARIABLES_CHARACTERS } from "@/lib/domain/template-limits";

const DRAFT = { name: "Short", values: { what: "x" }, message: "" };

function faultsOf(changes: object): string[] {
  const input = { templateId: newId("template"), draft: { ...DRAFT, ...changes } };
  return (keepExampleInput.safeParse(input).error?.issues ?? []).map(({ path }) => path.join("."));
}

describe("an example of a template", () => {
  it("is as long as what a template is tried with, and its values as a template's defaults", () => {
    const longest = {
      name: "n".repeat(MAX_TEMPLATE_NAME_CHARACTERS),
      values: { what: "v".repeat(MAX_TEMPLATE_VARIABLES_CHARACTERS - "what".length) },
      message: "m".repeat(MAX_MESSAGE_CHARACTERS),
    };
    expect(faultsOf(longest)).toEqual([]);
    for (const name of ["name", "message"] as const) {
      expect(faultsOf({ [name]: `${longest[name]}x` })).toEqual([`draft.${name}`]);
    }
    expect(faultsOf({ values: { what: `${longest.values.what}v` } })).toEqual(["draft.values"]);
  });

  it("has a name that can be seen, and text that can be kept", () => {
    for (const name of ["", " ", "\u200b"]) expect(faultsOf({ name })).toEqual(["draft.name"]);
    for (const text of ["a\u0000", "\ud800"]) {
      expect(faultsOf({ name: text })).toEqual(["draft.name"]);
      expect(faultsOf({ message: text })).toEqual(["draft.message"]);
      expect(faultsOf({ values: { what: text } })).toEqual(["draft.values"]);
    }
  });
});
