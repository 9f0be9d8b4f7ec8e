import { describe, expect, it } from "vitest";
import { findFailedPlaceholders, findPlaceholders, mergeValues, renderTemplate } from "@/lib/domain/template-render";

const render = (template: string, values: Record<string, string> = {}) => renderTemplate(template, mergeValues(values));

describe("renderTemplate", () => {
  it.each<[string, string, Record<string, string>, string]>([
    ["a value", "Dear {{name}},", { name: "Ada" }, "Dear Ada,"],
    ["spaces inside the braces", "{{ name }}{{\tname}}{{name  }}", { name: "x" }, "xxx"],
    ["the same name twice", "{{a}}-{{a}}", { a: "1" }, "1-1"],
    ["names with . _ - and digits", "{{user.first_name-2}}", { "user.first_name-2": "x" }, "x"],
    ["names of any script", "{{variável}} {{名前}}", { variável: "a", 名前: "b" }, "a b"],
    ["an empty value", "[{{a}}]", { a: "" }, "[]"],
    ["no placeholders", "plain", {}, "plain"],
    ["an empty template", "", { a: "1" }, ""],
    ["braces around a placeholder", "{{{a}}}", { a: "1" }, "{1}"],
    ["what is no placeholder", "{{}} {{ }} {{a b}} {a} {{a}", { a: "1" }, "{{}} {{ }} {{a b}} {a} {{a}"],
    ["a line break inside as text", "{{\na}}", { a: "1" }, "{{\na}}"],
    ["replacement patterns of values as they are", "{{a}}", { a: "$& $1 $$ \\0" }, "$& $1 $$ \\0"],
  ])("renders %s", (_what, template, values, expected) => {
    expect(render(template, values).text).toBe(expected);
  });

  it("never searches a value for placeholders", () => {
    expect(render("{{a}}{{b}}", { a: "{{b}}", b: "{{a}}" })).toEqual({
      text: "{{b}}{{a}}",
      missing: [],
      isTooLong: false,
    });
    expect(render("{{a}}a}}", { a: "{{" }).text).toBe("{{a}}");
  });

  it("names every missing placeholder once and in order", () => {
    expect(render("{{b}} {{a}} {{b}} {{c}}", { c: "1" }).missing).toEqual(["b", "a"]);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "prototype", "valueOf"])(
    "knows the hostile name %s only when it is passed",
    (name) => {
      expect(render(`{{${name}}}`).missing).toEqual([name]);
      const values = JSON.parse(`{"${name}":"mine"}`) as Record<string, string>;
      expect(render(`{{${name}}}`, values)).toEqual({ text: "mine", missing: [], isTooLong: false });
    },
  );

  it.each([
    ["Gro\u0308\u00dfe", "Gr\u00f6\u00dfe"],
    ["Gr\u00f6\u00dfe", "Gro\u0308\u00dfe"],
  ])("takes %j and %j as one name: they look the same", (written, passed) => {
    expect(render(`{{${written}}}`, { [passed]: "5" })).toEqual({ text: "5", missing: [], isTooLong: false });
    expect(renderTemplate(`{{${written}}}`, mergeValues({ [written]: "default" }, { [passed]: "5" })).text).toBe("5");
  });

  it("stops when the text grows above its cap", () => {
    const values = mergeValues({ a: "x".repeat(1_000_000) });
    const rendered = renderTemplate("{{a}}".repeat(20_000), values, 2_000_000);
    expect(rendered.isTooLong).toBe(true);
    expect(rendered.text.length).toBeLessThan(4_000_000);
    expect(renderTemplate("{{a}}", values, 1_000_000).isTooLong).toBe(false);
  });

  it.each<[string, (n: number) => string]>([
    ["open braces", (n) => "{".repeat(n)],
    ["open placeholders", (n) => "{{a".repeat(n / 3)],
    ["spaces", (n) => `{{${" ".repeat(n)}`],
    ["spaces after a name", (n) => `{{a${" ".repeat(n)}x`],
    ["one long name", (n) => `{{${"a".repeat(n)}`],
    ["placeholders", (n) => "{{ab}}".repeat(n / 6)],
  ])("stays linear in a template of %s", (_what, make) => {
    // A quadratic pass would take minutes at this size and run into the test's own limit.
    const template = make(3_000_000);
    expect(render(template, { a: "1", ab: "{{ab}}" }).text).toHaveLength(template.length);
  });
});

describe("findPlaceholders", () => {
  it("gives each name once, in order", () => {
    expect(findPlaceholders("{{b}} {{ a }} {{b}} {{c d}}")).toEqual(["b", "a"]);
  });
});

describe("findFailedPlaceholders", () => {
  it("gives what stands in braces and has no name that can be passed, each once", () => {
    const template = "{{a}} {{ b.c-d_1 }} {{first name}} {{}} {{ }} {{first name}} {{#each}} {one} {{open";
    expect(findFailedPlaceholders(template)).toEqual(["{{first name}}", "{{}}", "{{ }}", "{{#each}}"]);
  });

  it("leaves JSON and what runs over lines alone", () => {
    expect(findFailedPlaceholders('{"a":{"b":1}} {{\n} }} {{{a}}}')).toEqual([]);
  });
});

describe("mergeValues", () => {
  it("lets the later source go before the earlier", () => {
    expect([...mergeValues({ a: "default", b: "2" }, undefined, { a: "passed" })]).toEqual([
      ["a", "passed"],
      ["b", "2"],
    ]);
  });
});
