"use client";

import { useEffect } from "react";
import { usePassingWords } from "@/components/ui/passing-words";

let speak: ((words: string) => void) | undefined;

/** Tells screen readers what is seen but has no place of its own to be heard from. */
export function say(words: string): void {
  speak?.(words);
}

/**
 * Where `say` is heard from; stands in the document from the start, for words that come together with their place are not
 * read out. An open dialog hides all around it from screen readers, but not this.
 */
export function Spoken() {
  const [words, sayHere] = usePassingWords();
  useEffect(() => {
    speak = sayHere;
    return () => {
      speak = undefined;
    };
  }, [sayHere]);
  return (
    <div aria-live="polite" className="sr-only" data-live-announcer="">
      {words}
    </div>
  );
}
