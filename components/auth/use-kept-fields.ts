"use client";

import { type RefObject, useEffect } from "react";
import { writeField } from "@/components/ui/early-input";
import { keepForTab, takeFromTab } from "@/components/ui/tab-store";
import { wayHere } from "@/components/ui/way-here";

const KEY = "kept-fields";

/** What people say of themselves: no password, no code. */
const NAMES = ["company", "name", "email"];

/** Whether this document's first form has looked already: one that comes later was not loaded anew. */
let isLooked = false;

/** For a form on a page that a slip of the fingers loads anew: keeps what was written of oneself over that, in this tab alone. */
export function useKeptFields(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const keep = () => keepForTab(KEY, JSON.stringify({ path: location.pathname, texts: readTexts(form.current) }));
    if (form.current) restore(form.current);
    window.addEventListener("pagehide", keep);
    return () => window.removeEventListener("pagehide", keep);
  }, [form]);
}

function readTexts(form: HTMLFormElement | null): Record<string, string> {
  return Object.fromEntries(fieldsOf(form).map(({ name, value }) => [name, value]));
}

function restore(form: HTMLFormElement): void {
  const kept = takeFromTab(KEY);
  const isAnew = !isLooked && wayHere() === "reload";
  isLooked = true;
  if (kept === null || !isAnew) return;
  const { path, texts } = JSON.parse(kept) as { path: string; texts: Record<string, string> };
  if (path !== location.pathname) return;
  for (const field of fieldsOf(form)) {
    const text = texts[field.name];
    if (text && field.value === "") writeField(field, text);
  }
}

function fieldsOf(form: HTMLFormElement | null): HTMLInputElement[] {
  const fields = [...(form?.elements ?? [])].filter((field) => field instanceof HTMLInputElement);
  return fields.filter(({ name, type }) => NAMES.includes(name) && type !== "hidden");
}
