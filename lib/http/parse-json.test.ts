import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/domain/errors";
import { parseJson } from "@/lib/http/parse-json";

function errorOf(text: string, param?: string) {
  try {
    parseJson(text, param);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message, param: error.param };
  }
  return undefined;
}

describe("parseJson", () => {
  it.each([
    '{"a":1}',
    " [1,2]\n",
    '"x"',
    "null",
    '{"a":"\\u00e9\\n\\"]]]"}',
    '{"braces":"{{{{[[[["}',
    `${"[".repeat(32)}${"]".repeat(32)}`,
  ])("reads %s as JSON.parse does", (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    "",
    "{",
    "{a:1}",
    "{'a':1}",
    '{"a":1,}',
    "undefined",
    "NaN",
    '{"a":01}',
    '"\u0001"',
    '{"a":"\\x"}',
    '"open',
    "{} {}",
    '"\\',
  ])("refuses %j", (text) => {
    expect(errorOf(text)?.code).toBe("INVALID_JSON");
  });

  it("refuses deep nesting before it makes a single object", () => {
    expect(errorOf("[".repeat(16_000_000))).toMatchObject({
      code: "INVALID_JSON",
      message: "The body is nested deeper than 32 levels.",
    });
    expect(errorOf(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`)?.code).toBe("INVALID_JSON");
  });

  it.each(["[{", ",", '\\"[,', "\\\\["])("takes any number of %s within a text for nothing but text", (piece) => {
    const text = `{"a":"${piece.repeat(100_001)}"}`;
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it("takes lists beside each other for no deeper than one", () => {
    expect(parseJson(`[${"[{}],".repeat(1_000)}[]]`)).toHaveLength(1_001);
  });

  it("knows where a text ends: brackets behind it count again", () => {
    const deep = `${"[".repeat(40)}${"]".repeat(40)}`;
    for (const text of ['"a"', '"\\\\"', '"\\""', '""']) {
      expect(errorOf(`[${text},${deep}]`)?.message).toMatch(/nested deeper/);
    }
  });

  it("refuses more values than any body has", () => {
    expect(errorOf(`[${"0,".repeat(5_000_000)}0]`)?.code).toBe("INVALID_JSON");
    expect(errorOf(`[${"[],".repeat(4_000_000)}[]]`)?.code).toBe("INVALID_JSON");
  });

  // Work that grows with the square of the length would outlast the test's own time many times over.
  it("passes over a long text of escapes", () => {
    expect(parseJson(`"${'\\"'.repeat(2_000_000)}"`)).toHaveLength(2_000_000);
    expect(parseJson(`"${"\\\\".repeat(2_000_000)}"`)).toHaveLength(2_000_000);
  });

  it("takes the last of two fields of one name", () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  it.each([
    ['{"a":"x\\u0000y"}', "a"],
    ['{"a":{"b":["ok","\\u0000"]}}', "a.b[1]"],
  ])("refuses the NUL character in %s and names the field", (text, param) => {
    expect(errorOf(text)).toMatchObject({ code: "VALIDATION_FAILED", param });
  });

  it.each(['{"a\\u0000":1}', '{"\\ud800":1}', '{"x":{"\\udc00":"v"}}'])("refuses the field name in %s", (text) => {
    expect(errorOf(text)?.code).toBe("VALIDATION_FAILED");
  });

  it("turns half a surrogate pair into U+FFFD and leaves whole pairs alone", () => {
    expect(parseJson('{"a":"x\\ud800y","b":["\\udc00"],"c":"\\ud83d\\ude00"}')).toEqual({
      a: "x\ufffdy",
      b: ["\ufffd"],
      c: "😀",
    });
  });

  it("keeps a field named __proto__ a field", () => {
    const value = parseJson('{"__proto__":{"x":"\\ud800"}}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(["__proto__"]);
  });

  it("names the multipart field that is not JSON", () => {
    expect(errorOf("{", "templateVars")).toEqual({
      code: "INVALID_MULTIPART",
      message: "templateVars is not valid JSON.",
      param: "templateVars",
    });
  });
});
