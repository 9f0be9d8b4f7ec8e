"use client";

import { useLayoutEffect } from "react";
import { readChoice } from "@/components/shell/theme-toggle";

/**
 * Does what theme-script.ts does where that does not run: what is not found or broke is drawn in the browser, and a
 * script that is put into a page there does nothing.
 */
export function ThemeKeeper() {
  useLayoutEffect(() => (document.documentElement.dataset.theme ? undefined : followTheme()), []);
  return null;
}

/** @returns what ends it */
function followTheme(): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const choice = readChoice();
    document.documentElement.dataset.theme = choice === "system" ? (system.matches ? "dark" : "light") : choice;
  };
  apply();
  system.addEventListener("change", apply);
  addEventListener("storage", apply);
  addEventListener("themechoice", apply);
  return () => {
    system.removeEventListener("change", apply);
    removeEventListener("storage", apply);
    removeEventListener("themechoice", apply);
  };
}
