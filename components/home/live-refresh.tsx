"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";

const REFRESH_MS = 10_000;

interface LiveRefreshProps {
  everyMs?: number;
  /** For a page whose form may be gone afterwards: waits from the first touch of it until it has been sent. */
  keepsForm?: boolean;
}

/**
 * Renders the page's server parts again now and then, while somebody looks at it; what is typed stays. It waits for an
 * open dialog: what it stands on could be gone, and the dialog with it.
 */
export function LiveRefresh({ everyMs = REFRESH_MS, keepsForm = false }: LiveRefreshProps) {
  const router = useRouter();
  const touched = useRef<Element>(null);

  useEffect(() => {
    const refresh = () => {
      // Of somebody who is signed out a refresh would lead to the sign-in, away from what was typed.
      const isHeld =
        touched.current?.isConnected || document.querySelector("[data-dialog], [data-signed-out]") !== null;
      if (document.visibilityState === "visible" && !isHeld) router.refresh();
    };
    const timer = setInterval(refresh, everyMs);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [everyMs, router]);

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
