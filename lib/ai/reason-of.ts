import { APIError } from "openai";
import { cutText } from "@/lib/domain/cut-text";
import type { TurnError } from "@/lib/domain/turn-errors";
import { redact } from "@/lib/log";

/** The log is no place for a server's long stories. */
const MAX_CHARACTERS = 300;

/**
 * Why a call to the model failed, for the log: its server's own words, or what became of the connection. Without what a server
 * repeats of the request in JSON; undefined for what is no fault of a model.
 */
export function reasonOf({ code, cause }: TurnError): string | undefined {
  if (!(cause instanceof Error) || !(cause instanceof APIError || code.startsWith("MODEL_"))) return undefined;
  // Its message holds what could not be read.
  if (cause instanceof SyntaxError) return "an answer that is no JSON";
  const words = [cause, ...causesOf(cause)].map(wordsOf).filter((part) => part !== "");
  // Half a key would not be known for one.
  return cutText(redact(words.join(": ").split(REPEATED, 1).join("")), MAX_CHARACTERS).trim();
}

/** Where JSON begins. */
const REPEATED = /[[{]\s*["{]/;
const MAX_CAUSES = 3;

function causesOf({ cause }: Error, depth = 0): Error[] {
  return cause instanceof Error && depth < MAX_CAUSES ? [cause, ...causesOf(cause, depth + 1)] : [];
}

/** One for all of a name's addresses has no message, but a code. */
function wordsOf(error: Error): string {
  const { code } = error as { code?: unknown };
  return error.message === "" && typeof code === "string" ? code : error.message;
}
