import { describe, expect, it } from "vitest";
import { stringMap } from "@/lib/contracts/string-map";
import { variablesField } from "@/lib/contracts/template-fields";

const META = { description: "Texts by name.", examples: [{ tone: "formal" }] };
const schema = stringMap(
  {
    maxEntries: 3,
    maxNameCharacters: 12,
    maxCharacters: 40,
    checkName: (name) => (name.includes(" ") ? "has a blank" : undefined),
  },
  META,
);
const lenient = stringMap({ maxEntries: 3, maxNameCharacters: 12, takesNumbersAndBooleans: true }, META);

const faults = (value: unknown, of = schema) =>
  of.safeParse(value).error?.issues.map(({ path, message }) => [path.join("."), message]);

describe("stringMap", () => {
  it("keeps names of prototypes as own properties, and no prototype is touched", () => {
    const hostile = '{"__proto__":"p","constructor":"c","toString":"t"}';
    const value = schema.parse(JSON.parse(hostile));
    expect(JSON.stringify(value)).toBe(hostile);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).p).toBeUndefined();
  });

  it("does not take an object as the value of __proto__ for a prototype", () => {
    expect(faults(JSON.parse('{"__proto__":{"polluted":"yes"}}'))).toEqual([["__proto__", "must be a string"]]);
  });

  it("keeps an empty object, empty names and empty texts", () => {
    expect(schema.parse({})).toEqual({});
    expect(schema.parse({ "": "" })).toEqual({ "": "" });
  });

  it.each([[null], [["a"]], ["text"], [1], [true], [undefined]])("refuses %j, which is no object", (value) => {
    expect(faults(value)).toEqual([["", "must be an object"]]);
  });

  it("says how to write an empty one to those whose language writes it as a list, as PHP does", () => {
    expect(faults([])).toEqual([["", "must be an object; one without names is {}"]]);
  });

  it("names every wrong entry", () => {
    expect(faults({ a: 1, "b c": "x", ["d".repeat(13)]: null })).toEqual([
      ["a", "must be a string"],
      ["b c", "has a blank"],
      ["d".repeat(13), "must have a name of at most 12 characters"],
      ["d".repeat(13), "must be a string"],
    ]);
  });

  it("counts entries, and characters of names and texts together", () => {
    expect(schema.safeParse({ ["d".repeat(12)]: "", b: "", c: "" }).success).toBe(true);
    expect(schema.safeParse({ a: "x".repeat(39) }).success).toBe(true);
    expect(faults({ a: "x".repeat(40) })).toEqual([["", "must have at most 40 characters in all"]]);
    expect(faults({ a: "", b: "", c: "", d: "" })).toEqual([["", "must have at most 3 variables"]]);
  });

  it("turns numbers and booleans into strings where that is asked for", () => {
    expect(lenient.parse({ a: 1.5, b: false, c: "x" })).toEqual({ a: "1.5", b: "false", c: "x" });
    expect(faults({ a: null, b: [], c: {} }, lenient)).toEqual(
      ["a", "b", "c"].map((name) => [name, "must be a string, a number or a boolean"]),
    );
  });

  it("refuses numbers that are others than were sent once they are read", () => {
    expect(lenient.parse(JSON.parse('{"a":9007199254740991,"b":-9007199254740991,"c":1e15}'))).toEqual({
      a: "9007199254740991",
      b: "-9007199254740991",
      c: "1000000000000000",
    });
    expect(faults(JSON.parse('{"a":9007199254740993,"b":-1e16,"c":1e400}'), lenient)).toEqual(
      ["a", "b", "c"].map((name) => [name, "must be sent as a string: a number this large loses digits"]),
    );
  });
});

describe("a template's variables", () => {
  it("are told what their names may hold, in words that a full stop can follow", () => {
    const message = "has a name that is not allowed; use letters, digits, -, . and _";
    expect(variablesField.safeParse({ "due date": "" }).error?.issues).toMatchObject([{ path: ["due date"], message }]);
    expect(variablesField.safeParse({ "a-b.c_1": "" }).success).toBe(true);
  });
});
