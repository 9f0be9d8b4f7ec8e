"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { refreshWhenThere } from "@/components/ui/refresh-when-there";

const REFRESH_MS = 10_000;
/** Whoever looks at a page touches it now and then. */
const UNTOUCHED_MS = 15 * 60_000;
const TOUCHES = ["pointermove", "pointerdown", "keydown", "wheel"] as const;

interface LiveRefreshProps {
  everyMs?: number;
  /** For a page whose form may be gone afterwards: waits from the first touch of it until it has been sent. */
  keepsForm?: boolean;
  /**
   * Stops until the page is touched again when nobody did for a quarter of an hour: to the server each refresh is a sign of
   * somebody there, and a sign-in that is to end when it lies idle would never do so on a screen that somebody left.
   */
  restsUntouched?: boolean;
}

/**
 * Renders the page's server parts again now and then, while somebody looks at it; what is typed stays. It waits for an
 * open dialog: what it stands on could be gone, and the dialog with it.
 */
export function LiveRefresh({ everyMs = REFRESH_MS, keepsForm = false, restsUntouched = false }: LiveRefreshProps) {
  const router = useRouter();
  const touched = useRef<Element>(null);

  useEffect(() => {
    let isOver = false;
    const refresh = () => refreshWhenThere(router, () => !isOver && isSeen() && !isHeld(touched.current));
    let touchedAtMs = Date.now();
    const isResting = () => restsUntouched && Date.now() - touchedAtMs >= UNTOUCHED_MS;
    const look = () => {
      if (!isResting()) refresh();
    };
    const touch = () => {
      const wasResting = isResting();
      touchedAtMs = Date.now();
      if (wasResting) refresh();
    };
    const timer = setInterval(look, everyMs);
    document.addEventListener("visibilitychange", refresh);
    for (const name of TOUCHES) document.addEventListener(name, touch, { passive: true });
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
      for (const name of TOUCHES) document.removeEventListener(name, touch);
    };
  }, [everyMs, restsUntouched, router]);

  useEffect(() => {
    if (!keepsForm) return;
    const touch = ({ target }: Event) => {
      const form = target instanceof Element ? target.closest("main form") : null;
      if (form) touched.current = form;
    };
    document.addEventListener("input", touch);
    document.addEventListener("click", touch);
    return () => {
      document.removeEventListener("input", touch);
      document.removeEventListener("click", touch);
    };
  }, [keepsForm]);

  return null;
}

function isSeen(): boolean {
  return document.visibilityState === "visible";
}

/** Of somebody who is signed out a refresh would lead to the sign-in, away from what was typed. */
function isHeld(form: Element | null): boolean {
  return form?.isConnected || document.querySelector("[data-dialog], [data-signed-out]") !== null;
}
