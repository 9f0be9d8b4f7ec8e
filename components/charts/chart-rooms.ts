/**
 * Widths of a chart, in pixels, that differ in how many words stand below it. The server knows no width: it writes the words of
 * each, and the browser shows those that its place has room for, without a script. The drawing goes by the same ones, so that no word
 * moves when it comes.
 */
export const ROOMS = [
  { width: 200, className: "@min-[200px]:@max-[280px]:block" },
  { width: 280, className: "@min-[280px]:@max-[350px]:block" },
  { width: 350, className: "@min-[350px]:@max-[440px]:block" },
  { width: 440, className: "@min-[440px]:@max-[600px]:block" },
  { width: 600, className: "@min-[600px]:@max-[760px]:block" },
  { width: 760, className: "@min-[760px]:@max-[940px]:block" },
  { width: 940, className: "@min-[940px]:block" },
] as const;

/** The widest of them that fits into a width; 0: none does, and nothing stands below. */
export function roomOf(width: number): number {
  return ROOMS.findLast((room) => room.width <= width)?.width ?? 0;
}
