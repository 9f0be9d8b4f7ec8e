import type { SoundFacts } from "@/lib/ai/files/file-kinds";

/** Length and tracks of an MP4 or M4A, from its boxes. */
export function measureMp4(view: DataView): Partial<SoundFacts> {
  const found: Found = { handlers: new Set(), boxes: 0 };
  walkBoxes(view, 0, view.byteLength, found, 0);
  if (found.handlers.size === 0) return {};
  return {
    hasSound: found.handlers.has("soun"),
    hasPictures: found.handlers.has("vide"),
    ...(found.seconds !== undefined && { seconds: found.seconds }),
  };
}

interface Found {
  seconds?: number;
  handlers: Set<string>;
  /** That were looked at. */
  boxes: number;
}

/** Boxes that hold the boxes looked for. */
const PARENTS = new Set(["moov", "trak", "mdia"]);
const MAX_DEPTH = 4;
/** Of the whole file, which is looked through on the thread that serves: up to the last box looked for files have some hundreds. */
const MAX_BOXES = 10_000;

function walkBoxes(view: DataView, start: number, end: number, found: Found, depth: number): void {
  for (let at = start; at + 8 <= end && found.boxes < MAX_BOXES; ) {
    found.boxes += 1;
    const { name, head, size = end - at } = readBox(view, at);
    if (size < head) return;
    const next = Math.min(at + size, end);
    if (PARENTS.has(name) && depth < MAX_DEPTH) walkBoxes(view, at + head, next, found, depth + 1);
    else if (name === "mvhd") found.seconds = readLength(view, at + head);
    else if (name === "hdlr") {
      found.handlers.add(nameAt(view, at + head + 8));
    }
    at += size;
  }
}

/** Without a size, a box reaches to the end of the file. */
function readBox(view: DataView, at: number): { name: string; head: number; size?: number } {
  const short = view.getUint32(at);
  const name = nameAt(view, at + 4);
  if (short === 0) return { name, head: 8 };
  // 1 says that a longer size follows.
  return short === 1 ? { name, head: 16, size: Number(view.getBigUint64(at + 8)) } : { name, head: 8, size: short };
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));
}

/** Whether it begins as a file of boxes. */
export function looksLikeMp4(view: DataView): boolean {
  return FIRST_BOXES.has(nameAt(view, 4));
}

const FIRST_BOXES = new Set(["ftyp", "moov", "mdat", "free", "skip", "wide"]);

/**
 * Where the last box of a file ends: beyond the file's end when that is cut off. Absent when the file does not say it, or only
 * after what is there of it.
 */
export function endOfMp4(view: DataView, fileSize: number): number | undefined {
  for (let at = 0, boxes = 0; boxes < MAX_BOXES; boxes++) {
    const { head, size } = readBox(view, at);
    if (size === undefined || size < head) return undefined;
    at += size;
    if (at >= fileSize) return at;
  }
  return undefined;
}

function readLength(view: DataView, at: number): number {
  const isLong = view.getUint8(at) === 1;
  const scale = view.getUint32(at + (isLong ? 20 : 12));
  const length = isLong ? Number(view.getBigUint64(at + 24)) : view.getUint32(at + 16);
  // All ones stand for "not known".
  return scale > 0 && length !== 0xffffffff ? length / scale : 0;
}
