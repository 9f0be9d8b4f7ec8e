import { Readable } from "node:stream";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import {
  type FileToUnderstand,
  type TranscriptStore,
  type UnderstoodFile,
  understandFile,
} from "@/lib/ai/files/understand-file";
import type { TranscriptDraft } from "@/lib/ai/files/understood-file";
import type { Transcript } from "@/lib/ai/model-message";
import { splitBlocks } from "@/lib/domain/prompt-blocks";
import type { TurnError } from "@/lib/domain/turn-errors";

/** Reads a file as a turn does, for tests; it, or a part of it, comes in two pieces. */
export function understandSample(
  content: string | Uint8Array,
  more: Partial<FileToUnderstand> = {},
): Promise<UnderstoodFile> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return understandFile({
    bytesSource: async ({ start, end } = { start: 0, end: bytes.byteLength - 1 }) =>
      Readable.from([bytes.subarray(start, start + 10), bytes.subarray(start + 10, end + 1)]),
    size: bytes.byteLength,
    name: "file",
    contentType: "application/octet-stream",
    lane: "",
    model: "gpt-4.1-mini",
    ...more,
  });
}

/** Why a file is not read, for tests. @throws Error when it is */
export async function refusalOf(call: Promise<UnderstoodFile>): Promise<TurnError> {
  const outcome = await call.catch((error: TurnError) => error);
  if ("parts" in outcome) throw new Error("the file was understood");
  return outcome;
}

/** The one block of a file that goes to the model as text, for tests. @throws Error when there is more */
export function blockOf({ parts }: UnderstoodFile) {
  const [part, ...others] = parts;
  const { blocks, rest } = splitBlocks(part?.type === "text" ? part.text : "");
  if (others.length > 0 || rest !== "" || blocks.length !== 1) throw new Error("the file is more than one block");
  return blocks[0];
}

/** The pictures of a file that go to the model, in their order, for tests. */
export function picturesOf({ parts }: UnderstoodFile): Uint8Array[] {
  return parts.flatMap((part) => (part.type === "image" ? [part.bytes] : []));
}

/** Red, green and blue of one point of a picture, for tests. */
export async function colourAt(picture: Uint8Array, x: number, y: number): Promise<number[]> {
  const image = await loadImage(Buffer.from(picture));
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  return [...context.getImageData(x, y, 1, 1).data.subarray(0, 3)];
}

/** Keeps the transcript of one file in memory, for tests. */
export function storeOfOne(): TranscriptStore {
  let kept: Transcript | null = null;
  let draft: TranscriptDraft | null = null;
  return {
    find: async () => kept,
    approve: () => {},
    keep: async (_model, transcript) => {
      kept = transcript;
    },
    findDraft: async () => draft,
    keepDraft: async (_model, next) => {
      draft = next;
    },
  };
}
