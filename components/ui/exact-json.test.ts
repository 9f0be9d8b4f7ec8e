import { describe, expect, it } from "vitest";
import { parseExactJson } from "@/components/ui/exact-json";

describe("parseExactJson", () => {
  it.each([
    ["12.50", 12.5],
    ["-0.0", -0],
    ["1.0E3", 1000],
    ["9007199254740991", 9007199254740991],
    ["12345678901234567000", 12345678901234567000],
    ["0.000000125", 1.25e-7],
    ["5e-324", 5e-324],
  ])("gives %s, which JavaScript has a number for", (written, number) => {
    expect(parseExactJson(`{"a": [${written}]}`)).toEqual({ a: [number] });
  });

  it.each(["12345678901234567890", "9007199254740993", "0.1000000000000000055", "1e400", "-1e400", "1e-400"])(
    "gives nothing for %s, which would become another number",
    (written) => {
      expect(parseExactJson(`{"a": [${written}]}`)).toBeUndefined();
    },
  );

  it("leaves digits within texts and names alone", () => {
    const text = '{"12345678901234567890": "no. 12345678901234567890, \\"9007199254740993\\""}';
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  it("gives nothing for what is no JSON", () => {
    expect(parseExactJson('{"a": ')).toBeUndefined();
  });
});
