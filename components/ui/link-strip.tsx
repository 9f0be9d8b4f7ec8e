"use client";

import { type ReactNode, useEffect, useRef } from "react";

interface LinkStripProps {
  /** For screen readers: "Settings". */
  label: string;
  /** Changes with the current link. */
  current: string;
  /** Items of a list; the current one holds a link with `aria-current`. */
  children: ReactNode;
  className: string;
}

/** Of the next link, so that one sees that there is more. */
const PEEK_PX = 28;

/** Links in one line that scrolls where they do not fit; the current one is always in sight. */
export function LinkStrip({ label, current, children, className }: LinkStripProps) {
  const strip = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link is current then
  useEffect(() => {
    const { current: nav } = strip;
    if (!nav) return;
    const observer = new ResizeObserver(() => showCurrent(nav));
    observer.observe(nav);
    return () => observer.disconnect();
  }, [current]);
  return (
    <nav aria-label={label} className={`overflow-x-auto border-separator border-b ${className}`} ref={strip}>
      <ul className="flex gap-1">{children}</ul>
    </nav>
  );
}

/** Moves nothing but the strip: `scrollIntoView` could move the page. */
function showCurrent(nav: HTMLElement): void {
  const link = nav.querySelector("[aria-current]")?.getBoundingClientRect();
  if (!link) return;
  const { left, right } = nav.getBoundingClientRect();
  if (link.right > right) nav.scrollLeft += link.right - right + PEEK_PX;
  else if (link.left < left) nav.scrollLeft -= left - link.left + PEEK_PX;
}
