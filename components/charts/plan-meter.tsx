"use client";

import { Meter } from "@heroui/react";
import { formatNumber, formatPercent } from "@/components/ui/format-number";

interface PlanMeterProps {
  /** "Tokens this month" */
  label: string;
  used: number;
  /** Null: there is no limit. */
  limit: number | null;
  /** "tokens" */
  unit: string;
  /** Under the bar: when it begins again. */
  note?: string;
}

const WARNING_SHARE = 0.8;

/** How much of a limit is used: from four fifths on it warns, at the end it is red. */
export function PlanMeter({ label, used, limit, unit, note }: PlanMeterProps) {
  if (limit === null) {
    return (
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{label}</span>
        <span className="text-code text-muted tabular-nums">
          {formatNumber(used)} {unit}, no limit
        </span>
      </p>
    );
  }
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const words = `${formatNumber(used)} of ${formatNumber(limit)} ${unit}`;
  return (
    <div>
      <Meter
        aria-label={label}
        className="grid gap-1.5"
        color={share >= 1 ? "danger" : share >= WARNING_SHARE ? "warning" : "accent"}
        maxValue={1}
        size="sm"
        value={share}
        valueLabel={words}
      >
        <span className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-medium">{label}</span>
          <span className="text-code text-muted tabular-nums">
            {words}
            <span className="ml-2 text-foreground">{formatPercent(share)}</span>
          </span>
        </span>
        <Meter.Track>
          <Meter.Fill />
        </Meter.Track>
      </Meter>
      {note ? <p className="mt-1 text-code text-muted">{note}</p> : null}
    </div>
  );
}
