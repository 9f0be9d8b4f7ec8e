import { afterEach, describe, expect, it } from "vitest";
import { findModel, inputBudgetTokens, modelNames, ownModels, setOwnModels } from "@/lib/domain/model-catalog";

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

describe("an operator's own models", () => {
  afterEach(() => setOwnModels({}));

  it("go by their whole name or by the one behind the maker's, in any case", () => {
    setOwnModels({ "Llama3.3:70b": { contextWindowTokens: 131_072 }, "meta/llama3.3:70b": { maxOutputTokens: 99 } });
    expect(findModel("llama3.3:70b")).toMatchObject({ contextWindowTokens: 131_072, isKnown: false });
    expect(findModel("other/llama3.3:70b").contextWindowTokens).toBe(131_072);
    expect(findModel("meta/llama3.3:70b").maxOutputTokens).toBe(99);
  });

  it("say no more than they say: the rest is as in the list, or the careful default", () => {
    const [listed, unknown] = [findModel("gpt-4o"), findModel("llama3.3:70b")];
    setOwnModels({ "gpt-4o": { creditsPerThousandTokensIn: 5 }, "llama3.3:70b": { isVisual: false } });
    expect(findModel("gpt-4o")).toEqual({ ...listed, creditsPerThousandTokensIn: 5 });
    expect(findModel("llama3.3:70b")).toEqual({ ...unknown, id: "llama3.3:70b", isVisual: false });
  });

  it("can be handed over, and are named before those of the list", () => {
    const own = { "llama3.3:70b": { contextWindowTokens: 131_072 }, "*": { isVisual: false } };
    expect(findModel("Llama3.3:70B", own).contextWindowTokens).toBe(131_072);
    expect(findModel("anything", own).isVisual).toBe(false);
    expect(modelNames(own).slice(0, 2)).toEqual(["llama3.3:70b", "gpt-4.1"]);
    setOwnModels(own);
    expect(ownModels()).toEqual(own);
    expect(modelNames()).toEqual(modelNames(own));
  });

  it.each(["constructor", "__proto__", "toString"])("are not found by %s", (name) => {
    expect(findModel(name)).toMatchObject({ isKnown: false, id: "default" });
  });

  it("can set what holds for every model that is named nowhere", () => {
    const listed = findModel("gpt-4o");
    setOwnModels({ "*": { contextWindowTokens: 8_192 } });
    expect(findModel("anything").contextWindowTokens).toBe(8_192);
    expect(findModel("gpt-4o")).toEqual(listed);
  });
});
