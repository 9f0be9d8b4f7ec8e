"use client";

import { type RefObject, useEffect } from "react";
import { takeOver } from "@/components/ui/early-input";

/**
 * For a form that stands on a page from the server: keeps what was typed, ticked and chosen before the page's scripts came,
 * and sends the form if that was asked for. Give the form `method="post"` too: where no script runs at all, browsers
 * else write its fields into the address.
 */
export function useEarlyInput(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const shown = form.current;
    if (!shown || !takeOver(shown)) return;
    // Once the form knows what was written.
    setTimeout(() => shown.requestSubmit());
  }, [form]);
}
