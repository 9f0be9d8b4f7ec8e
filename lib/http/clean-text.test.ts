import { describe, expect, it } from "vitest";
import type { AppError } from "@/lib/domain/errors";
import { cleanJson, cleanText } from "@/lib/http/clean-text";

const HALF_PAIR = "\ud83d";

/** What is refused of a value: the field and the reason. */
function refusalOf(value: unknown): unknown {
  try {
    cleanJson(value);
  } catch (error) {
    return (error as AppError).details;
  }
  throw new Error("The value was taken.");
}

describe("cleanJson", () => {
  it("keeps a half surrogate pair as the character for what cannot be read, however deep it lies", () => {
    const value = { a: `x${HALF_PAIR}`, list: ["fine", { deep: [HALF_PAIR] }], n: 1, none: null, yes: true };
    expect(cleanJson(value)).toBe(value);
    expect(value).toEqual({ a: "x\ufffd", list: ["fine", { deep: ["\ufffd"] }], n: 1, none: null, yes: true });
  });

  it("leaves a field that it changed as it was otherwise: listed, and to be changed and removed", () => {
    const value = { a: HALF_PAIR };
    cleanJson(value);
    expect(Object.getOwnPropertyDescriptor(value, "a")).toEqual({
      value: "\ufffd",
      enumerable: true,
      writable: true,
      configurable: true,
    });
  });

  it("changes the text of a field named __proto__, and no prototype", () => {
    const value = JSON.parse(`{"__proto__": "\\ud83d"}`);
    cleanJson(value);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":"\ufffd"}');
  });

  it.each([
    [{ a: "\0" }, "a"],
    [{ a: { b: "x\0" } }, "a.b"],
    [["fine", "\0"], "[1]"],
    [{ list: [{ name: "\0" }] }, "list[0].name"],
    [{ ["n".repeat(120)]: "\0" }, "n".repeat(100)],
    [{ [`${"n".repeat(99)}👋`]: "\0" }, "n".repeat(99)],
  ])("refuses a NUL character in %j, and names the field", (value, param) => {
    expect(refusalOf(value)).toEqual([{ param, message: "must not contain NUL characters" }]);
  });

  it.each([
    [{ "a\0b": 1 }, "body"],
    [{ [HALF_PAIR]: 1 }, "body"],
    [{ variables: { [HALF_PAIR]: "x" } }, "variables"],
    [{ ["n".repeat(120)]: { "\0": 1 } }, "n".repeat(100)],
    [{ [`${"n".repeat(99)}👋`]: { "\0": 1 } }, "n".repeat(99)],
  ])("refuses a name of a field that is no text in %j, and names where it stands", (value, param) => {
    expect(refusalOf(value)).toEqual([{ param, message: "has a field name that is not valid Unicode text" }]);
  });
});

describe("cleanText", () => {
  it("gives text back as it is", () => {
    expect(cleanText("Grüße 👋", "message")).toBe("Grüße 👋");
  });

  it("names the parameter without its own NUL characters", () => {
    expect(() => cleanText("\0", "a\0b")).toThrow("ab must not contain NUL characters");
  });
});
