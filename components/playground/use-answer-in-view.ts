import { type RefObject, useEffect, useRef } from "react";

/** From here on form and answer stand side by side: Tailwind's `lg`. */
const SIDE_BY_SIDE = "(min-width: 64rem)";

/**
 * Where the answer stands below the form, brings its heading into view, and the focus with it, whenever an answer came.
 * @param newest number of the newest call that is answered; undefined: none yet
 * @returns for the heading
 */
export function useAnswerInView(newest: number | undefined): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (newest === undefined || window.matchMedia(SIDE_BY_SIDE).matches) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "start" });
  }, [newest]);
  return heading;
}
