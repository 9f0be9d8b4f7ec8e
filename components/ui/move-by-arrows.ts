import type { KeyboardEvent } from "react";

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Lets the arrow keys go from one thing of a list to the next, where one of them has the focus. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>, selector: string): void {
  const step = STEPS[event.key];
  const focused = event.target;
  if (!step || !(focused instanceof HTMLElement) || !focused.matches(selector)) return;
  const things = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const next = things[things.indexOf(focused) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
