import type { MadeBytes } from "@/lib/ai/model-message";
import { processSingleton } from "@/lib/process-singleton";

/** All tries of a turn end sooner, also with a store whose refusals take a minute each. */
const KEPT_MS = 15 * 60_000;
/** Of all turns together; what has no room is made anew. */
const MAX_BYTES = 128 * 1024 * 1024;

interface Unstored {
  pieces: Uint8Array[];
  bytes: number;
  forget: NodeJS.Timeout;
}

const unstored = () => processSingleton("unstored-outputs", () => new Map<string, Unstored>());

/**
 * What was made for a turn and is not stored yet, in memory for its next try: while the store is away, each of them would pay the
 * model for the same again. Another process makes it anew.
 */
export function takeUnstored(turnId: string): Uint8Array[] | undefined {
  const kept = unstored().get(turnId);
  if (!kept) return undefined;
  clearTimeout(kept.forget);
  unstored().delete(turnId);
  return kept.pieces;
}

/** Keeps it for `takeUnstored`; where there is no room for it, it is dropped. */
export function keepUnstored(turnId: string, pieces: Uint8Array[]): void {
  takeUnstored(turnId);
  const bytes = sizeOf(pieces);
  const held = [...unstored().values()].reduce((sum, each) => sum + each.bytes, 0);
  if (held + bytes > MAX_BYTES) return;
  const forget = setTimeout(() => unstored().delete(turnId), KEPT_MS).unref();
  unstored().set(turnId, { pieces, bytes, forget });
}

/** All of it in memory, or what is more than `maxBytes` by a piece, which is refused where it is stored. */
export async function collect(made: MadeBytes, maxBytes: number): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of made) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > maxBytes) break;
  }
  return pieces;
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
