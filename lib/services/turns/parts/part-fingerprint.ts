import { createHash } from "node:crypto";
import type { CutPart } from "@/lib/services/turns/parts/cut-document";

/** What all parts of a turn are asked with. */
export interface PartFrame {
  model: string;
  /** The system message. */
  system: string;
  /** The instruction. */
  input: string;
}

/**
 * Of all that the notes on each part depend on: a hash of what the model is asked with, as 64 hex digits. Pages that go along as pictures
 * stand for themselves, by their file and numbers: they are not drawn yet.
 */
export function partFingerprints({ model, system, input }: PartFrame, parts: readonly CutPart[]): string[] {
  const frame = createHash("sha256").update(JSON.stringify([model, system, input, parts.length]));
  return parts.map(({ covers, content }, position) =>
    frame
      .copy()
      .update(JSON.stringify([position, covers]))
      .update(content)
      .digest("hex"),
  );
}
