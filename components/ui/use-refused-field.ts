"use client";

import { type RefObject, useEffect } from "react";

/**
 * Leads to the first of what was refused, as browsers do for a field that was left out: on a phone it stands a screen or
 * two above the button, and to screen readers nothing else would tell of it.
 * @param errors of the fields, another object for each run; the form shows them
 */
export function useRefusedField(form: RefObject<HTMLFormElement | null>, errors: Record<string, string>): void {
  useEffect(() => {
    const shown = form.current;
    if (!shown) return;
    const isRefused = Object.keys(errors).length > 0;
    // What was refused may be allowed by now, such as a name that is free again: the server is asked again, where the
    // browser would send nothing as long as these words stand at a field.
    shown.noValidate = isRefused;
    if (!isRefused) return;
    // The library's fields hold the words as their own validity: checked, the first of them takes the focus.
    const isElsewhere = shown.checkValidity();
    if (isElsewhere) shown.querySelector("[role=alert]")?.scrollIntoView({ block: "center" });
    shown.addEventListener("submit", holdUnreadable);
    return () => shown.removeEventListener("submit", holdUnreadable);
  }, [form, errors]);
}

/** Keeps back what a field shows and does not hand out: "50-" in one for numbers would go to the server as left empty. */
function holdUnreadable(event: SubmitEvent): void {
  const elements = [...(event.currentTarget as HTMLFormElement).elements];
  const unreadable = elements.find((element) => element instanceof HTMLInputElement && element.validity.badInput);
  if (!(unreadable instanceof HTMLInputElement)) return;
  event.preventDefault();
  // The form's own listeners are React's, further out.
  event.stopPropagation();
  unreadable.reportValidity();
}
