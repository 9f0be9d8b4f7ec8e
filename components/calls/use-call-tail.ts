"use client";

import { useEffect, useRef, useState } from "react";
import type { CallTail, LoggedCall } from "@/lib/contracts/call-log";

const LOOK_EVERY_MS = 2_000;

/** Where the tail is read, with its filters, and from where on. */
export interface TailPlace {
  href: string;
  cursor: string;
}

/**
 * Looks for new calls again and again while somebody sees the page. Each comes once.
 * @param place null: it rests
 * @returns whether the latest look worked
 */
export function useCallTail(place: TailPlace | null, onCalls: (calls: LoggedCall[]) => void): boolean {
  const [isLive, setLive] = useState(true);
  const report = useRef(onCalls);
  useEffect(() => {
    report.current = onCalls;
  });
  const href = place?.href ?? null;
  // Where the tail begins, and goes on after a rest; a page that is drawn again brings a later place, which is not taken.
  const cursor = useRef(place?.cursor);

  useEffect(() => {
    if (href === null) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      if (document.visibilityState === "visible") {
        const found = await readTail(href, cursor.current, abort.signal);
        if (abort.signal.aborted) return;
        setLive(found !== null);
        if (found) {
          cursor.current = found.cursor;
          if (found.calls.length > 0) report.current(found.calls);
        }
      }
      timer = setTimeout(look, LOOK_EVERY_MS);
    };
    timer = setTimeout(look, LOOK_EVERY_MS);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [href]);

  return isLive;
}

/** Null when there was no answer; the next look asks for the same again. */
async function readTail(href: string, cursor: string | undefined, signal: AbortSignal): Promise<CallTail | null> {
  try {
    const url = new URL(href, location.href);
    if (cursor !== undefined) url.searchParams.set("cursor", cursor);
    const response = await fetch(url, { signal });
    return response.ok ? ((await response.json()) as CallTail) : null;
  } catch {
    return null;
  }
}
