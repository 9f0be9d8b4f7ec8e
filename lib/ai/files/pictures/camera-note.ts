import { MAX_SEGMENTS } from "@/lib/ai/files/pictures/read-image-size";

/** How a camera was held, as it notes it in a JPEG (Exif): from 1, upright, to 8. From 5 on the picture lies on its side. */
export const UPRIGHT = 1;
export const FIRST_ON_ITS_SIDE = 5;
const LAST = 8;

const ORIENTATION_TAG = 0x0112;
const TAG_BYTES = 12;

/** Of a JPEG, as its camera wrote it; 1 where it says nothing. */
export function readOrientation(bytes: Uint8Array): number {
  const photo = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const [note] = findNotes(photo);
    return note ? readTag(photo.subarray(note.start + NOTE_HEAD_BYTES, note.end)) : UPRIGHT;
  } catch (error) {
    if (error instanceof RangeError) return UPRIGHT;
    throw error;
  }
}

/** The JPEG without what its camera noted: whoever draws it does not turn it. */
export function withoutCameraNotes(bytes: Uint8Array): Uint8Array {
  const photo = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const notes = findNotes(photo);
  const starts = [0, ...notes.map(({ end }) => end)];
  return Buffer.concat(starts.map((start, index) => photo.subarray(start, notes[index]?.start)));
}

/** Its mark, its length and its name. */
const NOTE_HEAD_BYTES = 10;

/** Where the camera's notes stand; of a JPEG that ends too early as far as it goes. */
function findNotes(photo: Buffer): { start: number; end: number }[] {
  const notes: { start: number; end: number }[] = [];
  if (photo.length < 4 || photo.readUInt16BE(0) !== 0xffd8) return notes;
  for (let offset = 2, count = 0; count < MAX_SEGMENTS && photo[offset] === 0xff; count++) {
    const marker = photo[offset + 1];
    // Pixels follow.
    if (marker === 0xda || offset + NOTE_HEAD_BYTES > photo.length) break;
    const end = offset + 2 + Math.max(2, photo.readUInt16BE(offset + 2));
    const isNote = marker === 0xe1 && photo.toString("latin1", offset + 4, offset + NOTE_HEAD_BYTES) === "Exif\0\0";
    if (isNote) notes.push({ start: offset, end });
    offset = end;
  }
  return notes;
}

/** @throws RangeError where it ends too early */
function readTag(exif: Buffer): number {
  const isLittle = exif.toString("latin1", 0, 2) === "II";
  const short = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const start = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
  for (let index = 0; index < short(start); index++) {
    const at = start + 2 + index * TAG_BYTES;
    if (short(at) !== ORIENTATION_TAG) continue;
    const orientation = short(at + 8);
    return orientation >= UPRIGHT && orientation <= LAST ? orientation : UPRIGHT;
  }
  return UPRIGHT;
}
