import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import type { ToolCall } from "@/lib/ai/model-message";

type ToolCallDelta = NonNullable<ChatCompletionChunk.Choice.Delta["tool_calls"]>[number] & {
  /** Of Google's servers. */
  extra_content?: unknown;
};

export interface ToolCallCollector {
  /** Takes what one chunk says of tool calls. */
  take(deltas: readonly Partial<ToolCallDelta>[] | null | undefined): void;
  /** The calls so far, in the order in which they began. */
  calls(): ToolCall[];
}

/** More than any real answer has: what goes beyond is dropped, and the cut JSON is refused when it is read. */
const MAX_CALLS = 8;
const MAX_ARGUMENT_CHARACTERS = 64_000;
const MAX_NAME_CHARACTERS = 128;
const MAX_EXTRA_CHARACTERS = 256_000;

interface OpenCall {
  id: string;
  name: string;
  pieces: string[];
  characters: number;
  extraContent?: object;
}

/**
 * Joins tool calls that a model streams in pieces. The first piece of a call carries its name; servers differ in whether
 * further ones repeat the id, and some give no index.
 */
export function collectToolCalls(): ToolCallCollector {
  const open = new Map<number, OpenCall>();
  let latest = -1;

  /** Where a call that begins under a place that is taken goes: some servers give each whole call the first one. */
  function placeOf(index: number, { id, function: named }: Partial<ToolCallDelta>): number {
    const there = open.get(index);
    if (!there || there.name === "" || !isWhole(there.pieces.join(""))) return index;
    // Without ids, one that is whole itself; else it may be the end of the same one.
    const isAnother = id && there.id !== "" ? id !== there.id : isWhole(readPiece(named?.arguments) ?? "");
    return isAnother ? Math.max(...open.keys()) + 1 : index;
  }

  function callOf(delta: Partial<ToolCallDelta>): OpenCall | undefined {
    const { index, id, function: named } = delta;
    const begins = named?.name !== undefined && named.name !== "";
    const isNext = begins && (!id || open.get(latest)?.id !== id);
    const key =
      index === undefined ? (isNext ? open.size : Math.max(0, latest)) : begins ? placeOf(index, delta) : index;
    if (!open.has(key) && open.size < MAX_CALLS) open.set(key, { id: "", name: "", pieces: [], characters: 0 });
    latest = key;
    return open.get(key);
  }

  return {
    take(deltas) {
      for (const delta of deltas ?? []) {
        const call = callOf(delta);
        if (!call) continue;
        if (delta.id) call.id = delta.id.slice(0, MAX_NAME_CHARACTERS);
        if (delta.function?.name) call.name = delta.function.name.slice(0, MAX_NAME_CHARACTERS);
        const extra = delta.extra_content;
        if (isExtra(extra)) call.extraContent = extra;
        const piece = readPiece(delta.function?.arguments);
        if (piece === undefined) continue;
        call.characters += piece.length;
        if (call.characters <= MAX_ARGUMENT_CHARACTERS) call.pieces.push(piece);
      }
    },
    calls: () =>
      [...open.values()].map(({ id, name, pieces, extraContent }, index) => ({
        id: id === "" ? `call_${index}` : id,
        name,
        argumentsText: pieces.join(""),
        ...(extraContent && { extraContent }),
      })),
  };
}

function isExtra(given: unknown): given is object {
  return typeof given === "object" && given !== null && JSON.stringify(given).length <= MAX_EXTRA_CHARACTERS;
}

/** Some servers give the arguments as the object that they are. */
function readPiece(given: unknown): string | undefined {
  if (typeof given === "string") return given;
  return typeof given === "object" && given !== null ? JSON.stringify(given) : undefined;
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
