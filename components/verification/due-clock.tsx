"use client";

import { useSyncExternalStore } from "react";
import { TimeText } from "@/components/ui/time-text";

interface DueClockProps {
  submittedAt: string;
  dueAt: string;
  /** When the server drew the page: the clock goes by its time, whatever the reader's says. */
  serverNow: string;
}

const TICK_MS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How much of the time for an answer is left (§8: 48 hours), or since when it is over. */
export function DueClock({ submittedAt, dueAt, serverNow }: DueClockProps) {
  const drawnMs = Date.parse(serverNow);
  const nowMs = useSyncExternalStore(
    subscribe,
    () => readServerClock(drawnMs),
    () => drawnMs,
  );
  const startMs = Date.parse(submittedAt);
  const dueMs = Date.parse(dueAt);
  const isOverdue = nowMs >= dueMs;
  const share = Math.min(1, Math.max(0, (nowMs - startMs) / (dueMs - startMs)));
  return (
    <div className="max-w-[440px]">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold text-base tabular-nums" role="timer">
          {isOverdue ? `Overdue by ${spanWords(nowMs - dueMs)}` : `${spanWords(dueMs - nowMs)} left`}
        </span>
        <span className="text-code text-muted">
          {isOverdue ? "since" : "until"} <TimeText at={dueAt} kind="exact" />
        </span>
      </p>
      <div aria-hidden="true" className="mt-2 h-1 overflow-hidden rounded-full bg-default forced-colors:outline">
        <div className={`h-full ${isOverdue ? "bg-danger" : "bg-accent"}`} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}

/** "41 h 20 min", "20 min"; below a minute "less than a minute". */
function spanWords(spanMs: number): string {
  if (spanMs < MINUTE_MS) return "less than a minute";
  const hours = Math.floor(spanMs / HOUR_MS);
  const minutes = Math.floor((spanMs % HOUR_MS) / MINUTE_MS);
  if (hours >= 72) return `${Math.floor(hours / 24)} days`;
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes} min`;
}

/**
 * The latest time that the server told, and when that was on a clock that nobody sets. A page that comes back from the
 * browser's memory tells an older one, which is passed over.
 */
let anchor = { serverMs: 0, at: 0 };
/** Stands between two ticks, as a store's snapshot has to. */
let ticked = 0;

function readServerClock(drawnMs: number): number {
  if (drawnMs > anchor.serverMs) {
    anchor = { serverMs: drawnMs, at: performance.now() };
    ticked = drawnMs;
  }
  return ticked;
}

function subscribe(notify: () => void): () => void {
  const timer = setInterval(() => {
    ticked = anchor.serverMs + (performance.now() - anchor.at);
    notify();
  }, TICK_MS);
  return () => clearInterval(timer);
}
