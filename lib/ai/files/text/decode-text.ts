import { decodeBytes, isOfDos } from "@/lib/ai/files/text/decode-bytes";
import { takePace } from "@/lib/give-way";

/** Text of bytes in an encoding that findEncoding gave, without a byte order mark and with `\n` line ends. */
export function decodeText(bytes: Uint8Array, encoding: string): string {
  return decodeBytes(withLineFeeds(bytes, encoding), encoding);
}

/** The same of a long text, letting others work meanwhile. */
export async function decodeSlowly(bytes: Uint8Array, encoding: string): Promise<string> {
  const pace = takePace();
  const units = withLineFeeds(bytes, encoding);
  const decoder = isOfDos(encoding) ? undefined : new TextDecoder(encoding);
  let text = "";
  for (let start = 0; start < units.length; start += SLICE_BYTES) {
    if (pace.isDue()) await pace.giveWay();
    const slice = units.subarray(start, start + SLICE_BYTES);
    text += decoder ? decoder.decode(slice, { stream: true }) : decodeBytes(slice, encoding);
  }
  return text + (decoder?.decode() ?? "");
}

const SLICE_BYTES = 1024 * 1024;

/**
 * The same with one line feed for each line end, and without zeros: among the bytes, where it takes one pass however many
 * there are. In no encoding are these part of another character.
 */
function withLineFeeds(bytes: Uint8Array, encoding: string): Uint8Array {
  const isWide = encoding.startsWith("utf-16");
  if (!isWide && !bytes.includes(CARRIAGE_RETURN) && !bytes.includes(0)) return bytes;
  const copy = new Uint8Array(bytes);
  if (!isWide) return copy.subarray(0, joinLineEnds(copy, CARRIAGE_RETURN, LINE_FEED));
  const units = new Uint16Array(copy.buffer, 0, copy.length >> 1);
  const shift = encoding === "utf-16be" ? 8 : 0;
  const length = 2 * joinLineEnds(units, CARRIAGE_RETURN << shift, LINE_FEED << shift);
  // Half a character at the end shows as broken.
  const half = copy.subarray(2 * units.length);
  copy.set(half, length);
  return copy.subarray(0, length + half.length);
}

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** In place; returns how many units are left. */
function joinLineEnds(units: Uint8Array | Uint16Array, carriageReturn: number, lineFeed: number): number {
  let length = 0;
  for (let index = 0; index < units.length; index++) {
    const unit = units[index] as number;
    if (unit === 0 || (unit === carriageReturn && units[index + 1] === lineFeed)) continue;
    units[length++] = unit === carriageReturn ? lineFeed : unit;
  }
  return length;
}
