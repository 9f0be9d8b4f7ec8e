"use client";

import { useEffect } from "react";

const LOOK_MS = 3_000;

/** Brings a page back as soon as the service can make it again, while somebody looks at it. */
export function ComeBack({ retry }: { retry: () => void }) {
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      if (document.visibilityState !== "visible") return;
      const isReady = await fetch("/api/v1/health/ready", { cache: "no-store" }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady && !isOver) retry();
    };
    const timer = setInterval(look, LOOK_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [retry]);
  return null;
}
