export interface ImageSize {
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
}

/** Width and height as the header of a PNG, JPEG, GIF or WebP says; undefined when there is no such header. */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view);
  } catch (error) {
    // Reading past the end: the header is cut off.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPng(view: DataView): ImageSize | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(12) !== code("IHDR")) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): ImageSize | undefined {
  if (view.getUint32(0) !== code("GIF8")) return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function readWebp(view: DataView): ImageSize | undefined {
  if (view.getUint32(0) !== code("RIFF") || view.getUint32(8) !== code("WEBP")) return undefined;
  switch (view.getUint32(12)) {
    case code("VP8X"):
      return { width: 1 + readUint24(view, 24), height: 1 + readUint24(view, 27) };
    case code("VP8L"): {
      const bits = view.getUint32(21, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case code("VP8 "):
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    default:
      return undefined;
  }
}

/** Of a photo, before its pixels: the largest that is read has some hundred, and a few bytes that fill up. */
export const MAX_SEGMENTS = 10_000;

/** Walks the segments to the frame header; metadata before it may be long. */
function readJpeg(view: DataView): ImageSize | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let offset = 2;
  for (let count = 0; count < MAX_SEGMENTS && view.getUint8(offset) === 0xff; count++) {
    const marker = view.getUint8(offset + 1);
    if (marker === 0xff) offset += 1;
    else if (isFrameHeader(marker)) return { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) };
    else offset += 2 + Math.max(2, view.getUint16(offset + 2));
  }
  return undefined;
}

/** SOF0 to SOF15 without DHT, JPG and DAC, which share the range. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function readUint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}

/** Four characters as they stand in a file. */
function code(text: string): number {
  return [...text].reduce((sum, character) => sum * 256 + character.charCodeAt(0), 0);
}
