import { addDays, dateOf, daysOf } from "@/lib/domain/usage-period";

/** How far back the panel's overview looks, from now. */
export const OVERVIEW_RANGES = ["24h", "7d", "30d", "90d"] as const;

export type OverviewRange = (typeof OVERVIEW_RANGES)[number];

/** The parts that a range is shown in: hours of the last 24, else calendar days, all in UTC. */
export interface OverviewBuckets {
  unit: "hour" | "day";
  /** First moment of each, the oldest first; the last one holds now. */
  starts: Date[];
}

const HOUR_MS = 3_600_000;
const HOURS = 24;
const DAYS: Record<Exclude<OverviewRange, "24h">, number> = { "7d": 7, "30d": 30, "90d": 90 };

export function overviewBuckets(range: OverviewRange, now: Date): OverviewBuckets {
  if (range === "24h") {
    const current = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
    const starts = Array.from({ length: HOURS }, (_, index) => new Date(current - (HOURS - 1 - index) * HOUR_MS));
    return { unit: "hour", starts };
  }
  const today = dateOf(now);
  const days = daysOf({ from: addDays(today, 1 - DAYS[range]), to: today });
  return { unit: "day", starts: days.map((day) => new Date(`${day}T00:00:00.000Z`)) };
}
