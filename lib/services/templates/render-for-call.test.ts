import { expect, it } from "vitest";
import { renderText } from "@/lib/services/templates/render-for-call";

const call = (templateVars: Record<string, string>) => ({
  inputNames: ["message"] as const,
  isInputKept: true,
  templateVars,
});

it("a template that grows beyond a million characters is refused, and not sent cut", () => {
  const template = { promptTemplate: "{{a}}{{a}}", variables: {} };
  expect(renderText(template, call({ a: "x".repeat(500_000) }))).toHaveLength(1_000_000);
  expect(() => renderText(template, call({ a: "x".repeat(500_001) }))).toThrow(
    expect.objectContaining({ code: "VALIDATION_FAILED", param: "templateVars" }),
  );
});

it("names all that a template still needs", () => {
  const template = { promptTemplate: "{{a}} {{b}} {{c}}", variables: { b: "1" } };
  expect(() => renderText(template, call({}))).toThrow(
    expect.objectContaining({ code: "TEMPLATE_VARIABLE_MISSING", param: "templateVars.a" }),
  );
});
