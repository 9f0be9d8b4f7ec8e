import { Fragment, type ReactNode } from "react";

let times = 0;

/**
 * Words about what was just tried, for a place that may still hold the same words of the try before: written over them they
 * would change nothing, and a screen reader would be silent. Call it when it happens, not while drawing.
 */
export function saidAnew(words: ReactNode): ReactNode {
  times += 1;
  return <Fragment key={times}>{words}</Fragment>;
}
