import { Fragment, type ReactNode } from "react";

let times = 0;
let last: ReactNode;

/** Changes words for who compares them, and for nobody who reads or hears them. */
const UNHEARD = "\u00a0";

/**
 * Words about what was just tried, for a place that may still hold the same words of the try before: written over them they
 * would change nothing, and a screen reader would be silent. Orca is silent about the same words twice in a row wherever and
 * whenever they come: those end on a space. Call it when it happens, not while drawing.
 */
export function saidAnew(words: ReactNode): ReactNode {
  times += 1;
  last = words === last && typeof words === "string" ? `${words}${UNHEARD}` : words;
  return <Fragment key={times}>{last}</Fragment>;
}
