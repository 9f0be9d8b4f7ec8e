import { APIConnectionError, APIError } from "openai";
import { expect, it } from "vitest";
import { explainModelError } from "@/lib/ai/explain-model-error";
import { reasonOf } from "@/lib/ai/reason-of";
import { TurnError } from "@/lib/domain/turn-errors";

const refused = (message: string, status = 400) => new APIError(status, { message }, undefined, new Headers());
/** As of a name with several addresses. */
const away = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });

it.each([
  [refused("Model is paused"), "400 Model is paused"],
  [refused('Failed to parse messages; messages = [\n  {"role":"user"'), "400 Failed to parse messages; messages ="],
  [refused("x".repeat(900)), `400 ${"x".repeat(296)}`],
  [new APIConnectionError({ message: "Connection error.", cause: away }), "Connection error.: ECONNREFUSED"],
  [new SyntaxError("Unexpected token 'M', \"MY TEXT\" is not valid JSON"), "an answer that is no JSON"],
  [new Error("ended without a finish"), "ended without a finish"],
  ["a string", undefined],
])("tells of %s why the model failed: %s", (cause, reason) => {
  expect(reasonOf(explainModelError(cause))).toBe(reason);
});

it("tells nothing of a file that cannot be read", () => {
  const cause = new Error("MY TEXT is no number");
  expect(reasonOf(new TurnError("UNSUPPORTED_FILE", "The file cannot be read.", { cause }))).toBeUndefined();
});
