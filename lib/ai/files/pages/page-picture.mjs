// What the pictures of pages have in common, whatever the document. Plain JavaScript, run from its source by their threads.

export const MAX_SIDE_PIXELS = 2_048;
export const JPEG_QUALITY = 80;

/**
 * A page says of itself how large it is: a poster or a strip must not become more pixels than any other.
 * @param most times its size, at most
 */
export function scaleOf({ width, height }, maxPixels, most) {
  if (!(width > 0 && height > 0 && Number.isFinite(width * height))) throw new Error("a page without a size");
  return Math.min(most, MAX_SIDE_PIXELS / Math.max(width, height), Math.sqrt(maxPixels / (width * height)));
}

/** @param data four bytes for each pixel */
export function isOneColour(data) {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
  return pixels.every((pixel) => pixel === pixels[0]);
}
