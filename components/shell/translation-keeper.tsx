"use client";

import { keepTexts } from "@/components/shell/keep-texts";

// Before React takes the page over: of what is translated earlier React sees by itself that it is not what it drew.
if (typeof document !== "undefined") keepTexts();

/** Lets whoever reads the panel in a language of their own, by their browser, work in it (keep-texts.ts). */
export function TranslationKeeper() {
  return null;
}
