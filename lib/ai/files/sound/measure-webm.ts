import type { SoundFacts } from "@/lib/ai/files/file-kinds";

/** Elements of the format by their numbers. */
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const TRACKS = 0x1654ae6b;
const TRACK = 0xae;
const TRACK_TYPE = 0x83;
const CLUSTER = 0x1f43b675;
const PARENTS = new Set([SEGMENT, INFO, TRACKS, TRACK]);
const MAX_DEPTH = 5;
/** Of the whole file, which is looked through on the thread that serves; files have some dozens before the sound itself. */
const MAX_ELEMENTS = 10_000;
const NANOSECONDS = 1e9;

interface Found {
  scale: number;
  duration?: number;
  types: Set<number>;
  isAtClusters: boolean;
  /** That were looked at. */
  elements: number;
}

/** Length and tracks of a WebM; recordings of browsers do not say how long they are. */
export function measureWebm(view: DataView): Partial<SoundFacts> {
  const found: Found = { scale: 1_000_000, types: new Set(), isAtClusters: false, elements: 0 };
  walkElements(view, 0, view.byteLength, found, 0);
  if (found.types.size === 0) return {};
  return {
    hasSound: found.types.has(2),
    hasPictures: found.types.has(1),
    ...(found.duration !== undefined && { seconds: (found.duration * found.scale) / NANOSECONDS }),
  };
}

function walkElements(view: DataView, start: number, end: number, found: Found, depth: number): void {
  for (let at = start; at < end && found.elements < MAX_ELEMENTS && !found.isAtClusters; ) {
    found.elements += 1;
    const { id, body, size } = readElement(view, at);
    const next = Math.min(end, size === undefined ? end : body + size);
    // What is wanted stands before the sound itself.
    if (id === CLUSTER) found.isAtClusters = true;
    else if (PARENTS.has(id) && depth < MAX_DEPTH) walkElements(view, body, next, found, depth + 1);
    else if (id === TIMESTAMP_SCALE) found.scale = readInteger(view, body, next - body);
    else if (id === DURATION) found.duration = next - body === 8 ? view.getFloat64(body) : view.getFloat32(body);
    else if (id === TRACK_TYPE) found.types.add(readInteger(view, body, next - body));
    at = next;
  }
}

/** Where the recording ends, as its head says; those of browsers do not say it. */
export function endOfMatroska(view: DataView): number | undefined {
  const start = readElement(view, 0);
  if (start.size === undefined) return undefined;
  const { id, body, size } = readElement(view, start.body + start.size);
  return id === SEGMENT && size !== undefined ? body + size : undefined;
}

/** Without a size, an element ends where its parent does. */
function readElement(view: DataView, at: number): { id: number; body: number; size?: number } {
  const id = readNumber(view, at, false);
  const size = readNumber(view, at + id.length, true);
  const body = at + id.length + size.length;
  return { id: id.value ?? 0, body, ...(size.value !== undefined && { size: size.value }) };
}

/** A number whose first byte says how long it is; sizes lose that mark, and all ones stand for "not known". */
function readNumber(view: DataView, at: number, isSize: boolean): { value?: number; length: number } {
  const first = view.getUint8(at);
  const length = Math.clz32(first) - 23;
  if (length > 8) throw new RangeError("no number");
  let value = isSize ? first & (0xff >> length) : first;
  let isUnknown = isSize && value === 0xff >> length;
  for (let index = 1; index < length; index++) {
    const byte = view.getUint8(at + index);
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return isUnknown ? { length } : { value, length };
}

function readInteger(view: DataView, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < Math.min(length, 8); index++) value = value * 256 + view.getUint8(at + index);
  return value;
}
