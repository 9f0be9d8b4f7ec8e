"use client";

import { type RefObject, useEffect } from "react";
import { writeField } from "@/components/ui/early-input";
import { KEPT_FIELDS_KEY } from "@/components/ui/kept-fields";
import { takeFromTab } from "@/components/ui/tab-store";

/** Whether this document's first form has looked already: one that comes later was not loaded anew. */
let isLooked = false;

/**
 * For a form on a page that a slip of the fingers loads anew: gives it back what was written of oneself, in this tab alone. The form
 * says by `KEEPS_FIELDS` that it is kept.
 */
export function useKeptFields(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    if (form.current) restore(form.current);
  }, [form]);
}

/** What is kept as a document's first form comes is of the page that was loaded anew (kept-fields.ts); it is taken once. */
function restore(form: HTMLFormElement): void {
  const kept = takeFromTab(KEPT_FIELDS_KEY);
  const isFirst = !isLooked;
  isLooked = true;
  if (kept === null || !isFirst) return;
  const { path, texts } = JSON.parse(kept) as { path: string; texts: Record<string, string> };
  if (path !== location.pathname) return;
  for (const [name, text] of Object.entries(texts)) {
    const field = form.elements.namedItem(name);
    if (!text || !(field instanceof HTMLInputElement)) continue;
    // What the browser itself put back, without a word to React, is written over at the next drawing.
    if (field.value === "" || field.value === text) writeField(field, text);
  }
}
