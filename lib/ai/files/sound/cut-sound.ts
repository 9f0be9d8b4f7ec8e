import type { SoundFacts } from "@/lib/ai/files/file-kinds";
import type { RangedFile } from "@/lib/ai/files/reader/read-source";
import { type ProcessLimits, runReader } from "@/lib/ai/files/reader/run-reader";
import { TurnError } from "@/lib/domain/turn-errors";

/** A part of a recording as a file of its own. */
export interface SoundPiece {
  bytes: Uint8Array;
  /** The ending of a file's name by which providers know it. */
  format: string;
  /** Its length. */
  seconds: number;
  /** Where it ends, in seconds as the file counts them; the next one begins there. */
  until: number;
  /** Of the whole, with this piece and those before it. */
  heardSeconds: number;
}

export interface CutLimits extends ProcessLimits {
  /** Where the first piece begins, in seconds: an earlier one's `until`. */
  fromSeconds: number;
  maxBytes: number;
  maxSeconds: number;
}

/**
 * What a file of sound says of itself, without more of it being read than that takes.
 * @returns null when it cannot be read, or its sound is packed in a way that cannot be cut
 * @throws TurnError UNSUPPORTED_FILE when reading it takes too much; the signal's own reason
 */
export async function lookAtSound(file: RangedFile, limits: ProcessLimits): Promise<SoundFacts | null> {
  const report = await runReader<SoundFacts & { isKnown: boolean }, "broken">({
    ...jobOf(file, limits),
    options: { isLook: true },
  });
  if ("failure" in report) return null;
  const { isKnown, ...facts } = report.result;
  return isKnown || !facts.hasSound ? facts : null;
}

/**
 * Cuts the sound of a file into pieces that providers take, each ending in a pause where there is one, and leaves a video's
 * pictures where they are. Nothing is decoded, and no more than a piece is held at once.
 * @param onPiece is waited for before the next piece is cut; what it throws ends the cutting and is thrown
 * @throws TurnError UNSUPPORTED_FILE when the file is damaged or takes too much; the signal's own reason; those of the source
 */
export async function cutSound(
  file: RangedFile,
  { fromSeconds, maxBytes, maxSeconds, ...limits }: CutLimits,
  onPiece: (piece: SoundPiece) => Promise<void>,
): Promise<void> {
  const report = await runReader<object, "broken", never, { piece: SoundPiece }>({
    ...jobOf(file, limits),
    options: { fromSeconds, maxBytes, maxSeconds },
    onQuestion: ({ piece }) => onPiece(piece),
    isLong: true,
  });
  if ("failure" in report) {
    throw new TurnError("UNSUPPORTED_FILE", DAMAGED_MESSAGE, { cause: new Error(report.detail) });
  }
}

const DAMAGED_MESSAGE = "The sound of the file could not be read: it is damaged, or not what it says it is.";

function jobOf(source: RangedFile, limits: ProcessLimits) {
  const size = Math.ceil(source.size / 1024 / 1024);
  return {
    worker: "sound/sound-worker.mjs" as const,
    source: { bytesSource: source.bytesSource, size: source.size },
    limits: { deadlineMs: DEADLINE_MS, maxMemoryBytes: MAX_MEMORY_BYTES, ...limits },
    tooMuchMessage: `The file (${size} MB) takes too long to be read. Send it in parts.`,
  };
}

/** For the largest file from a store far away. */
const DEADLINE_MS = 300_000;
/** A piece, the file made of it, and where each packet of half a day of sound stands. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
