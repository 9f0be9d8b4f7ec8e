import { type MouseEvent as ReactMouseEvent, useLayoutEffect, useRef } from "react";

/**
 * Whether a click is the second of a double click. Many people click twice on everything: by then it meets what the first
 * one opened in its place, and is not meant for that.
 */
export function isSecondClick({ detail }: Pick<MouseEvent, "detail">): boolean {
  return detail > 1;
}

/** For what lies where it was opened from: the second click does nothing there. */
export function ignoreSecondClick(event: ReactMouseEvent) {
  if (!isSecondClick(event)) return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * The same for what is not given the click itself.
 * @param isOpen whether there is anything to close
 * @returns whether the click that is on its way is a second one
 */
export function useSecondClick(isOpen: boolean): () => boolean {
  const isSecond = useRef(false);
  // With what opens: an effect that waits for its turn comes after the second click.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const note = (event: MouseEvent) => {
      isSecond.current = isSecondClick(event);
    };
    // Before whoever listens at the document.
    window.addEventListener("click", note, true);
    return () => window.removeEventListener("click", note, true);
  }, [isOpen]);
  return () => isSecond.current;
}
