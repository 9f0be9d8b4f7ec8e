export interface TiffFrame {
  /** Among all pictures of the file, from 0. */
  index: number;
  /** Pixels, as stored. */
  width: number;
  /** Pixels, as stored. */
  height: number;
  /** From 1 to 8, as cameras write it. */
  orientation: number;
  /** How much higher than broad a pixel is. */
  stretch: number;
}

export function isTiff(bytes: Uint8Array): boolean;
export function tiffFrames(bytes: Uint8Array): TiffFrame[];
