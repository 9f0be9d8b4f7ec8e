"use client";

import { type ReactNode, useEffect, useState } from "react";
import { saidAnew } from "@/components/ui/said-anew";

/** Long enough to be read out; whoever reads on through the page later finds nothing of it. */
const STAYS_MS = 10_000;

let speak: ((words: string) => void) | undefined;

/** Tells screen readers what is seen but has no place of its own to be heard from. */
export function say(words: string): void {
  speak?.(words);
}

/**
 * Next says what a page is called that a link led to; called before a dialog opens, from outside of it too, where all else is
 * hidden from screen readers while the page comes.
 */
export function hearPageNames(): void {
  document.querySelector("next-route-announcer")?.setAttribute("data-live-announcer", "pages");
}

/**
 * Where `say` is heard from; stands in the document from the start, for words that come together with their place are not
 * read out. An open dialog hides all around it from screen readers, but not this.
 */
export function Spoken() {
  const [words, setWords] = useState<ReactNode>(null);
  useEffect(() => {
    speak = (said) => setWords(saidAnew(said));
    return () => {
      speak = undefined;
    };
  }, []);
  useEffect(() => {
    if (words === null) return;
    const timer = setTimeout(() => setWords(null), STAYS_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <div aria-live="polite" className="sr-only" data-live-announcer="">
      {words}
    </div>
  );
}
