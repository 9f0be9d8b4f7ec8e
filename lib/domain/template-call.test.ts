import { describe, expect, it } from "vitest";
import { renderTemplateCall } from "@/lib/domain/template-call";

const CALL = { input: "How long?", inputNames: ["message", "prompt"], isInputKept: true } as const;

const render = (promptTemplate: string, call: Partial<Parameters<typeof renderTemplateCall>[1]> = {}) =>
  renderTemplateCall({ promptTemplate, variables: { tone: "formal" } }, { ...CALL, ...call }).text;

describe("a call with a template", () => {
  it("has its text where the template places it, by either name, and nowhere else", () => {
    expect(render("Answer {{message}} now")).toBe("Answer How long? now");
    expect(render("Answer {{prompt}} now")).toBe("Answer How long? now");
  });

  it("has its text after the template where that places other variables alone", () => {
    expect(render("Be {{tone}}.")).toBe("Be formal.\n\nHow long?");
    expect(render("Be brief.")).toBe("Be brief.\n\nHow long?");
  });

  it("is the template alone where its text is not kept, or where it has none", () => {
    expect(render("Be {{tone}}.", { isInputKept: false })).toBe("Be formal.");
    expect(renderTemplateCall({ promptTemplate: "Be brief.", variables: {} }, { ...CALL, input: undefined }).text).toBe(
      "Be brief.",
    );
  });

  it("takes its own values before the template's, and its text before both", () => {
    const templateVars = { tone: "warm", message: "another" };
    expect(render("{{tone}}: {{message}}", { templateVars })).toBe("warm: How long?");
  });
});
