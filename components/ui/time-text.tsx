"use client";

import { useSyncExternalStore } from "react";
import { formatBoth, formatDeadline, formatExact, formatRelative } from "@/components/ui/format-time";

interface TimeTextProps {
  /** ISO 8601 in UTC, as the services give it. */
  at: string;
  /** "relative" counts along, "deadline" with hours up to three days; "exact" is for details, where the second matters. */
  kind?: "relative" | "deadline" | "exact";
}

const TICK_MS = 10_000;
const WORDS = { relative: formatRelative, deadline: formatDeadline };

/**
 * A time as people say it, with the exact local and UTC time on hover. The server does not know the reader's zone: it
 * writes what is true everywhere, the browser goes on from there without a jump.
 */
export function TimeText({ at, kind = "relative" }: TimeTextProps) {
  const nowMs = useSyncExternalStore(subscribe, readClock, () => null);
  const date = new Date(at);
  const isInBrowser = nowMs !== null;
  return (
    <time
      className={`tabular-nums ${kind === "exact" ? "sm:whitespace-nowrap" : "whitespace-nowrap"}`}
      dateTime={at}
      suppressHydrationWarning
      title={isInBrowser ? formatBoth(date) : `${formatExact(date, "UTC")} UTC`}
    >
      {kind === "exact"
        ? exactText(date, isInBrowser)
        : WORDS[kind](date, nowMs ?? Date.now(), isInBrowser ? undefined : "UTC")}
    </time>
  );
}

function exactText(date: Date, isInBrowser: boolean): string {
  return isInBrowser ? formatExact(date) : `${formatExact(date, "UTC")} UTC`;
}

/** One clock for all times of the page, so that a table of fifty rows has one timer. */
let clockMs = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function readClock(): number {
  if (clockMs === 0) clockMs = Date.now();
  return clockMs;
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(notify);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    clockMs = 0;
  };
}

function tick() {
  clockMs = Date.now();
  for (const notify of listeners) notify();
}
