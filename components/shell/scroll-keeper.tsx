"use client";

import { useEffect } from "react";
import { keepForTab, takeFromTab } from "@/components/ui/tab-store";
import { wayHere } from "@/components/ui/way-here";

const KEY = "scrolled-to";
const LONGEST_WAIT_MS = 5_000;

/** What says that the reader goes somewhere by themselves. */
const OWN_WAYS = ["wheel", "touchstart", "pointerdown", "keydown"];

/** Whether this document has looked already: a shell that comes later was not loaded anew. */
let isLooked = false;

/**
 * Brings a page that is loaded anew, or that one comes back to from elsewhere, to where its reader was. Browsers do so
 * while a page loads; what follows the first paint, as the rows of a list do, often comes after that.
 */
export function ScrollKeeper() {
  useEffect(() => {
    const kept = takeFromTab(KEY);
    const stop = isLooked || wayHere() === "navigate" ? undefined : goBackTo(kept);
    isLooked = true;
    const keep = () => keepForTab(KEY, JSON.stringify({ address: location.href, y: window.scrollY }));
    window.addEventListener("pagehide", keep);
    return () => {
      stop?.();
      window.removeEventListener("pagehide", keep);
    };
  }, []);
  return null;
}

/** @returns what gives it up; undefined: there is nowhere to go */
function goBackTo(kept: string | null): (() => void) | undefined {
  if (kept === null) return undefined;
  const { address, y } = JSON.parse(kept) as { address: string; y: number };
  if (address !== location.href || y === 0) return undefined;
  const whole = document.documentElement;
  const observer = new ResizeObserver(() => {
    if (whole.scrollHeight - whole.clientHeight < y) return;
    window.scrollTo({ top: y, behavior: "instant" });
    stop();
  });
  const timer = setTimeout(() => stop(), LONGEST_WAIT_MS);
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    for (const way of OWN_WAYS) window.removeEventListener(way, stop, true);
  };
  for (const way of OWN_WAYS) window.addEventListener(way, stop, true);
  observer.observe(document.body);
  return stop;
}
