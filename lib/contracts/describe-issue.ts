import type { z } from "zod";

/**
 * What is wrong with a field, in words that follow its name: "limit must be at most 100".
 * A schema's own words go before these.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "is required"
        : `must be ${TYPE_NAMES[issue.expected] ?? `of type ${issue.expected}`}`;
    case "too_small":
      return describeBound(issue.origin, "least", Number(issue.minimum));
    case "too_big":
      return describeBound(issue.origin, "most", Number(issue.maximum));
    case "invalid_value":
      return issue.input === undefined ? "is required" : `must be one of: ${issue.values.map(String).join(", ")}`;
    case "invalid_key":
      return "has a name that is not allowed";
    case "unrecognized_keys":
      return "has unknown fields";
    default:
      return "is not valid";
  }
}

const TYPE_NAMES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
};

const UNITS: Record<string, string> = { string: " characters", array: " items" };

function describeBound(origin: string, side: "least" | "most", bound: number): string {
  if (side === "least" && bound === 1 && origin in UNITS) return "must not be empty";
  const unit = UNITS[origin];
  return unit ? `must have at ${side} ${bound}${unit}` : `must be at ${side} ${bound}`;
}
