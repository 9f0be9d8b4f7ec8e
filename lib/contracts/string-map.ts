import { z } from "zod";
import { NO_NUL_PATTERN } from "@/lib/domain/limits";

export interface StringMapRules {
  maxEntries: number;
  maxNameCharacters: number;
  /** Names and values together. */
  maxCharacters?: number;
  /** What is wrong with a name, in words that follow it; undefined when nothing is. */
  checkName?(name: string): string | undefined;
  /** Turns numbers and booleans into strings. */
  takesNumbersAndBooleans?: boolean;
}

/** A larger number is another one than was sent by the time that it is read: an order's number, or infinity. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

/**
 * An object of strings. Its own check instead of zod's record, which drops the name `__proto__` without a word: here it is
 * a name like any other, of an own property.
 */
export function stringMap(rules: StringMapRules, meta: { description: string; examples: Record<string, string>[] }) {
  const values = rules.takesNumbersAndBooleans
    ? { type: ["string", "number", "boolean"], minimum: -MAX_NUMBER, maximum: MAX_NUMBER, pattern: NO_NUL_PATTERN }
    : { type: "string", pattern: NO_NUL_PATTERN };
  const shape = {
    type: "object",
    additionalProperties: values,
    maxProperties: rules.maxEntries,
    propertyNames: { maxLength: rules.maxNameCharacters, pattern: NO_NUL_PATTERN },
  } as const;
  return (
    z
      .unknown()
      // Here and not behind the transformation, which would lose the examples.
      .meta({ ...shape, ...meta })
      .transform((value, context): Record<string, string> => {
        const refuse = (message: string, path: PropertyKey[] = []) => {
          context.issues.push({ code: "custom", message, path, input: value });
        };
        if (isObject(value)) return readMap(value, rules, refuse);
        // What PHP writes of an array without names.
        const isEmptyList = Array.isArray(value) && value.length === 0;
        refuse(isEmptyList ? "must be an object; one without names is {}" : "must be an object");
        return z.NEVER;
      })
  );
}

function readMap(
  value: object,
  rules: StringMapRules,
  refuse: (message: string, path?: PropertyKey[]) => void,
): Record<string, string> {
  const entries = Object.entries(value);
  if (entries.length > rules.maxEntries) refuse(`must have at most ${rules.maxEntries} variables`);
  const texts = entries.map(([name, item]): [string, string] => {
    const fault = name.length > rules.maxNameCharacters ? nameTooLong(rules) : rules.checkName?.(name);
    if (fault) refuse(fault, [name]);
    const text = rules.takesNumbersAndBooleans ? asText(item) : item;
    if (typeof text === "string") return [name, text];
    refuse(rules.takesNumbersAndBooleans ? whatIsWrong(item) : "must be a string", [name]);
    return [name, ""];
  });
  const characters = texts.reduce((sum, [name, text]) => sum + name.length + text.length, 0);
  if (characters > (rules.maxCharacters ?? Number.POSITIVE_INFINITY)) {
    refuse(`must have at most ${rules.maxCharacters} characters in all`);
  }
  // fromEntries makes own properties, also of `__proto__`.
  return Object.fromEntries(texts);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asText(value: unknown): unknown {
  const isTaken = typeof value === "number" ? isExact(value) : typeof value === "boolean";
  return isTaken ? String(value) : value;
}

function isExact(value: number): boolean {
  return Math.abs(value) <= MAX_NUMBER;
}

function whatIsWrong(value: unknown): string {
  return typeof value === "number"
    ? "must be sent as a string: a number this large loses digits"
    : "must be a string, a number or a boolean";
}

function nameTooLong({ maxNameCharacters }: StringMapRules): string {
  return `must have a name of at most ${maxNameCharacters} characters`;
}
