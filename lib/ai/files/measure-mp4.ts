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
    const short = view.getUint32(at);
    const name = String.fromCharCode(...[4, 5, 6, 7].map((index) => view.getUint8(at + index)));
    const head = short === 1 ? 16 : 8;
    // 0 reaches to the end; 1 says that a longer size follows.
    const size = short === 0 ? end - at : short === 1 ? Number(view.getBigUint64(at + 8)) : short;
    if (size < head) return;
    const next = Math.min(at + size, end);
    if (PARENTS.has(name) && depth < MAX_DEPTH) walkBoxes(view, at + head, next, found, depth + 1);
    else if (name === "mvhd") found.seconds = readLength(view, at + head);
    else if (name === "hdlr") {
      found.handlers.add(String.fromCharCode(...[8, 9, 10, 11].map((index) => view.getUint8(at + head + index))));
    }
    at += size;
  }
}

function readLength(view: DataView, at: number): number {
  const isLong = view.getUint8(at) === 1;
  const scale = view.getUint32(at + (isLong ? 20 : 12));
  const length = isLong ? Number(view.getBigUint64(at + 24)) : view.getUint32(at + 16);
  // All ones stand for "not known".
  return scale > 0 && length !== 0xffffffff ? length / scale : 0;
}
