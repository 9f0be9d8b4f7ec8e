"use client";

import { useEffect } from "react";
import { say } from "@/components/ui/spoken";

/**
 * Says what is wrong with a field that was refused while it had the focus, as after Enter in it: the focus that comes to a
 * refused field has screen readers read it, and here none comes.
 */
export function RefusedKeeper() {
  useEffect(() => {
    // Before the library moves the focus to the first of what was refused.
    const tell = ({ target }: Event) => {
      const isHere = target !== null && target === document.activeElement;
      if (isHere && "validationMessage" in target) say(String(target.validationMessage));
    };
    document.addEventListener("invalid", tell, true);
    return () => document.removeEventListener("invalid", tell, true);
  }, []);
  return null;
}
