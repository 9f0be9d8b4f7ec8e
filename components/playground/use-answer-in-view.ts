import { type RefObject, useEffect, useRef } from "react";

/** From here on form and answer stand side by side: Tailwind's `lg`. */
const SIDE_BY_SIDE = "(min-width: 64rem)";

/**
 * Brings the answer's heading into view whenever an answer came: with the focus where it stands below the form. Beside
 * it the focus stays, as whoever changes a value sends again, and only who is far down in the form is moved.
 * @param newest number of the newest call that is answered; undefined: none yet
 * @returns for the heading
 */
export function useAnswerInView(newest: number | undefined): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (newest === undefined) return;
    const isBeside = window.matchMedia(SIDE_BY_SIDE).matches;
    if (!isBeside) heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: isBeside ? "nearest" : "start" });
  }, [newest]);
  return heading;
}
