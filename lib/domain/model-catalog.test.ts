import { describe, expect, it } from "vitest";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";

describe("findModel", () => {
  it.each([
    ["gpt-4.1-mini", "gpt-4.1-mini"],
    ["GPT-4.1-Mini", "gpt-4.1-mini"],
    ["gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"],
    ["gpt-4.1-2025-04-14", "gpt-4.1"],
    ["openai/gpt-4o", "gpt-4o"],
    ["gpt-4o-latest", "gpt-4o"],
    ["gpt-4o-audio", "default"],
    ["gpt-5-minimal", "default"],
    ["llama3.2:3b", "default"],
    ["", "default"],
    ["__proto__", "default"],
  ])("takes %j for %s", (name, id) => expect(findModel(name).id).toBe(id));

  it("keeps room for an answer in every window", () => {
    for (const name of ["gpt-4.1-mini", "gpt-4o", "o3", "unheard-of"]) {
      const model = findModel(name);
      expect(inputBudgetTokens(model)).toBeGreaterThan(0);
      expect(inputBudgetTokens(model)).toBeLessThan(model.contextWindowTokens);
    }
  });

  it("leaves input at least 40 % of the window, whatever answer is asked for", () => {
    const model = findModel("gpt-4o");
    expect(inputBudgetTokens({ ...model, maxOutputTokens: 10 ** 9 }, 10 ** 9)).toBe(51_200);
  });
});
