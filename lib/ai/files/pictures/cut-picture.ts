import type { ImageSize } from "@/lib/ai/files/pictures/read-image-size";

/** One of the pictures that a long one is cut into: its size as it is drawn, and which part of the long one it shows. */
export interface PicturePiece extends ImageSize {
  part: ImageSize & { x: number; y: number };
}

/**
 * How a long picture is cut, as one of a whole page or chat, a receipt or a panorama. Models look at pictures of some 2,000 pixels
 * on the longer side: of a page that is 1,080 broad and 8,000 high they see 270 of these 1,080, and no letter can be read.
 * @param size upright
 * @param mostPieces fewer are longer
 * @returns from top to bottom, or from left to right; none of a picture that goes whole
 */
export function cutPicture(size: ImageSize, mostPieces: number): PicturePiece[] {
  const isHigh = size.height >= size.width;
  const [short, long] = isHigh ? [size.width, size.height] : [size.height, size.width];
  if (long <= SEEN_SIDE_PIXELS || long <= short * LONG_RATIO || mostPieces < 2) return [];
  const pieceLong = Math.max(short * PIECE_RATIO, SEEN_SIDE_PIXELS / 2);
  const overlap = Math.max(MIN_OVERLAP_PIXELS, Math.round(short * OVERLAP_SHARE));
  const count = Math.min(mostPieces, Math.ceil((long - overlap) / (pieceLong - overlap)));
  const step = (long - overlap) / count;
  return Array.from({ length: count }, (_, index) => {
    const start = Math.round(index * step);
    const length = Math.min(long, Math.round((index + 1) * step) + overlap) - start;
    const part = isHigh
      ? { x: 0, y: start, width: short, height: length }
      : { x: start, y: 0, width: length, height: short };
    return { ...shrink(part), part };
  });
}

/** Models make larger ones smaller themselves. */
const SEEN_SIDE_PIXELS = 2_048;
/** What a phone's screen shows at once is no long picture. */
const LONG_RATIO = 3;
/** Models that look at the shorter side alone see as much of such a piece as of a square. */
const PIECE_RATIO = 2;
/** A line of text that is cut stands whole in one of the two. */
const OVERLAP_SHARE = 0.1;
const MIN_OVERLAP_PIXELS = 64;
/** Of a piece: twice of what is seen. */
const MAX_DRAWN_SIDE_PIXELS = 4_096;

function shrink({ width, height }: ImageSize): ImageSize {
  const scale = Math.min(1, MAX_DRAWN_SIDE_PIXELS / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
