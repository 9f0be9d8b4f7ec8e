"use client";

import type { KeyboardEvent, ReactNode } from "react";

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Lets the arrow keys move between the links of a table's rows; Enter opens, as with every link. */
export function RowKeys({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for what bubbles up from the links in it
    <div className="@container min-w-0" onKeyDown={moveFocus}>
      {children}
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>) {
  const step = STEPS[event.key];
  const focused = event.target;
  if (!step || !(focused instanceof HTMLElement) || focused.dataset.rowLink === undefined) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row-link]")];
  const next = links[links.indexOf(focused) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
