"use client";

import { keepTexts } from "@/components/shell/keep-texts";
import { hearPops } from "@/components/ui/pops";

// Before React takes the page over and Next hears of the history: both have to come first.
if (typeof document !== "undefined") {
  keepTexts();
  hearPops();
}

/** What every document of the service begins with in the browser; draws nothing. */
export function DocumentKeeper() {
  return null;
}
