"use client";

import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import {
  formatBoth,
  formatDeadline,
  formatExact,
  formatMoment,
  formatRelative,
  isDated,
} from "@/components/ui/format-time";
import { useSentZone } from "@/components/ui/reader-zone";

interface TimeTextProps {
  /** ISO 8601 in UTC, as the services give it. */
  at: string;
  /**
   * "relative" counts along, "moment" too and has the time of day beside a date, "deadline" has hours up to three days; "exact" is
   * for details, where the second matters.
   */
  kind?: "relative" | "moment" | "deadline" | "exact";
}

const TICK_MS = 10_000;
const WORDS = { relative: formatRelative, moment: formatMoment, deadline: formatDeadline };

/**
 * A time as people say it, with the exact local and UTC time on hover. Of a reader whose zone the
 * server does not know it writes what is true everywhere; the browser goes on from there without a jump. On paper no time counts along.
 */
export function TimeText({ at, kind = "relative" }: TimeTextProps) {
  const clock = useSyncExternalStore(subscribe, readClock, () => null);
  const sentZone = useSentZone();
  const date = new Date(at);
  const isInBrowser = clock !== null;
  return (
    <time
      className={`tabular-nums ${kind === "exact" ? "sm:whitespace-nowrap" : "whitespace-nowrap"}`}
      dateTime={at}
      suppressHydrationWarning
      title={isInBrowser ? formatBoth(date) : `${formatExact(date, "UTC")} UTC`}
    >
      {kind === "exact" || clock?.isOnPaper
        ? exactText(date, isInBrowser)
        : WORDS[kind](date, clock?.nowMs ?? Date.now(), isInBrowser ? undefined : (sentZone ?? "UTC"))}
      {kind === "moment" && !isInBrowser && sentZone === null && isDated(date, Date.now()) ? " UTC" : null}
    </time>
  );
}

function exactText(date: Date, isInBrowser: boolean): string {
  return isInBrowser ? formatExact(date) : `${formatExact(date, "UTC")} UTC`;
}

interface Clock {
  nowMs: number;
  /** The page is being printed, or looked at as it will be. */
  isOnPaper: boolean;
}

/** One clock for all times of the page, so that a table of fifty rows has one timer. */
let clock: Clock | null = null;
let stop: (() => void) | undefined;
const listeners = new Set<() => void>();

function readClock(): Clock {
  // Paper may have come before the page's scripts.
  clock ??= { nowMs: Date.now(), isOnPaper: matchMedia("print").matches };
  return clock;
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  stop ??= startClock();
  return () => {
    listeners.delete(notify);
    if (listeners.size > 0) return;
    stop?.();
    stop = undefined;
    clock = null;
  };
}

function startClock(): () => void {
  const timer = setInterval(() => setClock(readClock().isOnPaper), TICK_MS);
  const paper = matchMedia("print");
  // Firefox prints what stands there as its event ends, before anything that is put off, be it to the next microtask.
  const onPaper = () => flushSync(() => setClock(true));
  const offPaper = () => setClock(false);
  const onChange = ({ matches }: MediaQueryListEvent) => setClock(matches);
  // Not every browser tells of both.
  window.addEventListener("beforeprint", onPaper);
  window.addEventListener("afterprint", offPaper);
  paper.addEventListener("change", onChange);
  return () => {
    clearInterval(timer);
    window.removeEventListener("beforeprint", onPaper);
    window.removeEventListener("afterprint", offPaper);
    paper.removeEventListener("change", onChange);
  };
}

function setClock(isOnPaper: boolean) {
  clock = { nowMs: Date.now(), isOnPaper };
  for (const notify of listeners) notify();
}
