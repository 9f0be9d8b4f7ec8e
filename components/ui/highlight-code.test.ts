import { describe, expect, it } from "vitest";
import { quickStarts } from "@/components/home/quick-start-steps";
import { type CodeLanguage, highlightCode } from "@/components/ui/highlight-code";

const CASES: [language: CodeLanguage, code: string, kinds: string[]][] = [
  ["shell", `curl -H "a \\" b" x # note`, ["keyword", "plain", "string", "plain", "comment"]],
  ["shell", "cat curling 'x'", ["plain", "string"]],
  ["typescript", "const a = `b`; // d", ["keyword", "plain", "string", "plain", "comment"]],
  ["typescript", 'fetch("http://host") // not "in" it', ["plain", "string", "plain", "comment"]],
  ["python", "import os # os", ["keyword", "plain", "comment"]],
  ["php", "<?php // a\n$b = 'c';", ["keyword", "plain", "comment", "plain", "string", "plain"]],
  ["go", 'return a("b") // c', ["keyword", "plain", "string", "plain", "comment"]],
  ["ruby", 'require "a" # b', ["keyword", "plain", "string", "plain", "comment"]],
  ["java", 'return a("b"); // c', ["keyword", "plain", "string", "plain", "comment"]],
  ["csharp", 'return a("b"); /// c', ["keyword", "plain", "string", "plain", "comment"]],
  ["json", '{ "a": null }', ["plain", "string", "plain", "keyword", "plain"]],
];

describe("highlightCode", () => {
  it.each(CASES)("tells the parts of %s apart: %s", (language, code, kinds) => {
    expect(highlightCode(code, language).map(({ kind }) => kind)).toEqual(kinds);
  });

  it("loses no character of any quick start", () => {
    for (const { codeLanguage, steps } of quickStarts("http://localhost:3000/api/v1", true)) {
      for (const { code } of steps) {
        const tokens = highlightCode(code, codeLanguage);
        expect(tokens.map(({ text }) => text).join("")).toBe(code);
      }
    }
  });
});
