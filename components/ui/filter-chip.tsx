"use client";

import { Button, Popover } from "@heroui/react";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { dayTimeWords, zoneWords } from "@/components/ui/day-time";
import { FilterEditor } from "@/components/ui/filter-editor";
import type { Filter } from "@/components/ui/filter-kinds";
import { useReaderZone } from "@/components/ui/reader-zone";

interface FilterChipProps {
  filter: Filter;
  /** The address's parameters. */
  values: Record<string, string>;
  apply: (changes: Record<string, string | null>) => void;
}

/** One filter: dashed while it is off, with its value and a cross while it is on. */
export function FilterChip({ filter, values, apply }: FilterChipProps) {
  const [isOpen, setOpen] = useState(false);
  const words = valueWords(filter, values, useReaderZone());
  const change = (changes: Record<string, string | null>) => {
    setOpen(false);
    apply(changes);
  };
  return (
    <span
      className={`inline-flex h-7 max-w-full items-center rounded-full border border-border text-code ${words ? "bg-surface" : "border-dashed print:hidden"}`}
    >
      <Popover isOpen={isOpen} onOpenChange={setOpen}>
        <Button
          className={`h-full min-w-0 gap-1.5 rounded-full bg-transparent px-2.5 font-normal text-code md:h-full forced-colors:border-0! ${words ? "" : "text-muted"}`}
          size="sm"
          variant="ghost"
        >
          {words ? null : <Plus aria-hidden="true" className="size-3.5" />}
          <span className={words ? "text-muted" : ""}>{filter.label}</span>
          {words ? <bdi className="truncate font-medium">{words}</bdi> : null}
        </Button>
        <Popover.Content placement="bottom start">
          <Popover.Dialog
            aria-label={filter.label}
            className={`p-2 ${filter.kind === "dates" && filter.hasTimes ? "w-72" : "w-64"}`}
          >
            <FilterEditor apply={change} filter={filter} values={values} />
          </Popover.Dialog>
        </Popover.Content>
      </Popover>
      {words ? (
        <button
          aria-label={`Remove the filter ${filter.label}`}
          className="mr-1 grid size-6 shrink-0 place-items-center rounded-full text-muted hover:bg-default hover:text-foreground"
          onClick={() =>
            change(
              filter.kind === "dates" ? { [filter.param]: null, [filter.toParam]: null } : { [filter.param]: null },
            )
          }
          type="button"
        >
          <X aria-hidden="true" className="size-3" />
        </button>
      ) : null}
    </span>
  );
}

/** @param readerZone in which moments are named, as the rows of the list are; days alone are those of UTC */
function valueWords(filter: Filter, values: Record<string, string>, readerZone: string): string | undefined {
  const value = values[filter.param];
  if (filter.kind === "choice") return filter.choices.find(({ id }) => id === value)?.name ?? value;
  if (filter.kind === "text") return value;
  const last = values[filter.toParam];
  const zone = filter.hasTimes ? readerZone : "UTC";
  const days = daysWords(value && dayTimeWords(value, "from", zone), last && dayTimeWords(last, "to", zone));
  return days && `${days} ${zoneWords(value || last || "", zone)}`;
}

function daysWords(from: string | undefined, to: string | undefined): string | undefined {
  if (from && to) return from === to ? from : `${from} – ${withoutDayOf(from, to)}`;
  if (from) return `from ${from}`;
  return to ? `to ${to}` : undefined;
}

/** Two times of one day need it once. */
function withoutDayOf(from: string, to: string): string {
  const [[fromDay, fromTime], [toDay, toTime]] = [from.split(" "), to.split(" ")];
  return fromDay === toDay && fromTime && toTime ? toTime : to;
}
