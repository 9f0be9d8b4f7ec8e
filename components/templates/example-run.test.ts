import { describe, expect, it } from "vitest";
import { beginRun, type ExampleRun, progressOf, startedOf } from "@/components/templates/example-run";
import type { TemplateRules } from "@/components/templates/template-rules";
import type { ExamplesQuote } from "@/lib/contracts/template-examples";
import { renderTemplateCall } from "@/lib/domain/template-call";

const RULES = {
  render: (template, templateVars, input) =>
    renderTemplateCall(template, { inputNames: ["message"], isInputKept: true, templateVars, input }),
} as Pick<TemplateRules, "render"> as TemplateRules;

const example = (name: string, values: Record<string, string> = { what: "x" }) => ({
  id: name,
  name,
  values,
  message: "",
  updatedAt: "2026-11-28T00:00:00.000Z",
});

function begin(names: string[], more: Partial<ExamplesQuote> = {}): ExampleRun {
  const quote = { examples: names.map((name) => example(name)), compared: null, ...more } as ExamplesQuote;
  return beginRun(1, { promptTemplate: "Say {{what}}", variables: {} }, quote, RULES);
}

const end = (run: ExampleRun, ...keys: string[]): ExampleRun => ({
  ...run,
  over: new Map([...run.over, ...keys.map((key) => [key, { outcome: "answered", credits: 2 }] as const)]),
});
const namesOf = (run: ExampleRun) => [...startedOf(run)].map((key) => key.split(" ")[1]);

describe("trying all examples", () => {
  it("has three under way at most, and the next begins when one is over, whichever that is", () => {
    let run = begin(["a", "b", "c", "d", "e"]);
    expect(namesOf(run)).toEqual(["a", "b", "c"]);
    run = end(run, "1 b Editor");
    expect(namesOf(run)).toEqual(["a", "b", "c", "d"]);
    run = end(run, "1 a Editor", "1 c Editor", "1 d Editor");
    expect(namesOf(run)).toEqual(["a", "b", "c", "d", "e"]);
    const progress = { started: 5, all: 5, credits: 8, isRunning: true, canStop: false };
    expect(progressOf(run)).toEqual({ ...progress, outcomes: { answered: 4, refused: 0, failed: 0, lost: 0 } });
    expect(progressOf(end(run, "1 e Editor")).isRunning).toBe(false);
  });

  it("tries each with both texts next to each other where a version is compared with", () => {
    const compared = { version: 2, promptTemplate: "Tell {{what}}", variables: {} };
    const { tries, texts } = begin(["a", "b"], { compared });
    expect(texts).toEqual(["Editor", "Version 2"]);
    expect(tries.map(({ example: { name }, of }) => `${name} ${of}`)).toEqual([
      "a Editor",
      "a Version 2",
      "b Editor",
      "b Version 2",
    ]);
    expect(tries[1]?.template).toEqual({ promptTemplate: "Tell {{what}}", variables: {} });
  });

  it("asks nothing with an example that lacks a value, says which, and goes on with the others", () => {
    const run = begin([], { examples: [example("a", {}), example("b")] });
    expect(run.tries.map(({ fault }) => fault)).toEqual(["Needs values for: what.", null]);
    expect(namesOf(run)).toEqual(["b"]);
    expect(progressOf(run)).toMatchObject({ all: 1, isRunning: true });
  });

  it("starts nothing more once it is stopped, and is over when what was under way is", () => {
    const begun = begin(["a", "b", "c", "d"]);
    const stopped = { ...begun, stoppedWith: startedOf(begun) };
    const later = end(stopped, "1 a Editor");
    expect(namesOf(later)).toEqual(["a", "b", "c"]);
    expect(progressOf(later)).toMatchObject({ isRunning: true, canStop: false });
    expect(progressOf(end(later, "1 b Editor", "1 c Editor")).isRunning).toBe(false);
  });

  it("is over at once where there is nothing to ask", () => {
    expect(progressOf(begin([])).isRunning).toBe(false);
  });
});
