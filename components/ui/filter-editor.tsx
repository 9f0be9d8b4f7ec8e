"use client";

import { Button } from "@heroui/react";
import { Check } from "lucide-react";
import Link from "next/link";
import { dayRanges } from "@/components/ui/day-ranges";
import { type DayTime, readDayTime, type SpanEnd, writeDayTime } from "@/components/ui/day-time";
import type { ChoiceFilter, DatesFilter, Filter, TextFilter } from "@/components/ui/filter-kinds";
import { FormError } from "@/components/ui/form-error";
import { hideKeys } from "@/components/ui/hide-keys";
import { MAX_LOOKED_FOR_UNITS } from "@/components/ui/looked-for";
import { moveByArrows } from "@/components/ui/move-by-arrows";
import { useReaderZone } from "@/components/ui/reader-zone";
import { useCutPaste } from "@/components/ui/use-cut-paste";

interface EditorProps<Kind extends Filter> {
  filter: Kind;
  values: Record<string, string>;
  apply: (changes: Record<string, string | null>) => void;
}

const FIELD =
  "h-8 w-full rounded-md border border-field-border bg-background px-2 text-code outline-none focus:border-focus focus:ring-1 focus:ring-focus";

/** What a filter's chip opens. */
export function FilterEditor({ filter, ...rest }: EditorProps<Filter>) {
  if (filter.kind === "choice") return <Choices filter={filter} {...rest} />;
  if (filter.kind === "text") return <TextForm filter={filter} {...rest} />;
  return <DatesForm filter={filter} {...rest} />;
}

function Choices({ filter: { param, choices, others }, values, apply }: EditorProps<ChoiceFilter>) {
  const first = choices.find(({ id }) => id === values[param]) ?? choices[0];
  return (
    <>
      <ul className="max-h-72 overflow-y-auto" onKeyDown={(event) => moveByArrows(event, "button")}>
        {choices.map(({ id, name }) => (
          <li key={id}>
            <button
              aria-pressed={values[param] === id}
              // biome-ignore lint/a11y/noAutofocus: its chip was pressed to choose here
              autoFocus={id === first?.id}
              className="flex h-8 w-full items-center justify-between gap-2 rounded-md px-2 text-left text-code hover:bg-default"
              onClick={() => apply({ [param]: values[param] === id ? null : id })}
              type="button"
            >
              <bdi className="truncate">{name}</bdi>
              {values[param] === id ? <Check aria-hidden="true" className="size-3.5" /> : null}
            </button>
          </li>
        ))}
      </ul>
      {others ? (
        <p className="mt-1 border-separator border-t px-2 pt-2 pb-1 text-code">
          <Link className="text-accent-text hover:underline" href={others.href}>
            {others.text}
          </Link>
        </p>
      ) : null}
    </>
  );
}

function TextForm({ filter: { param, label, placeholder }, values, apply }: EditorProps<TextFilter>) {
  const { words, ...cut } = useCutPaste(MAX_LOOKED_FOR_UNITS);
  return (
    <form action={(form) => apply({ [param]: hideKeys(textOf(form, "value") ?? "") || null })} className="grid gap-2">
      <span className="flex gap-2">
        <input
          {...cut}
          aria-label={label}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: its chip was pressed to type here
          autoFocus
          className={FIELD}
          defaultValue={values[param]}
          maxLength={MAX_LOOKED_FOR_UNITS}
          name="value"
          placeholder={placeholder}
          spellCheck={false}
        />
        <Button className="md:h-8" size="sm" type="submit">
          Apply
        </Button>
      </span>
      <FormError text={words} />
    </form>
  );
}

function DatesForm({ filter: { param, toParam, hasTimes }, values, apply }: EditorProps<DatesFilter>) {
  const own = useReaderZone();
  // What is counted by days is counted by those of UTC.
  const zone = hasTimes ? own : "UTC";
  const write = hasTimes ? writeDayTime : ({ day }: DayTime) => day || null;
  const today = readDayTime(new Date().toISOString(), "from", zone).day;
  const zoneName = zone.replaceAll("_", " ");
  return (
    <form action={(form) => apply(spanOf(form, { param, toParam, write }))} className="grid gap-2 text-code">
      <div className="grid grid-cols-2 gap-1 border-separator border-b pb-2">
        {dayRanges(today).map(({ name, ...range }) => {
          const from = write({ day: range.from, time: "" }, "from");
          const to = range.to && write({ day: range.to, time: "" }, "to");
          return (
            <button
              aria-pressed={values[param] === from && (values[toParam] ?? null) === to}
              className="h-8 rounded-md px-2 text-left hover:bg-default aria-pressed:font-medium"
              key={name}
              onClick={() => apply({ [param]: from, [toParam]: to })}
              type="button"
            >
              {name}
            </button>
          );
        })}
      </div>
      <DayFields
        hasTimes={hasTimes}
        label={`From (${zoneName})`}
        name="from"
        timeLabel={`From what time (${zoneName})`}
        value={readDayTime(values[param], "from", zone)}
      />
      <DayFields
        hasTimes={hasTimes}
        label={hasTimes ? `To (${zoneName}), days included` : `To, included (${zoneName})`}
        name="to"
        timeLabel={`To what time (${zoneName})`}
        value={readDayTime(values[toParam], "to", zone)}
      />
      <Button className="justify-self-start md:h-8" size="sm" type="submit">
        Apply
      </Button>
    </form>
  );
}

interface DayFieldsProps {
  label: string;
  timeLabel: string;
  name: SpanEnd;
  value: DayTime;
  hasTimes: true | undefined;
}

function DayFields({ label, timeLabel, name, value: { day, time }, hasTimes }: DayFieldsProps) {
  return (
    <div className="flex items-end gap-2">
      <label className="grid min-w-0 flex-1 gap-1">
        {label}
        <input className={FIELD} defaultValue={day} name={name} type="date" />
      </label>
      {hasTimes ? (
        <span className="w-28 shrink-0">
          <input aria-label={timeLabel} className={FIELD} defaultValue={time} name={`${name}Time`} type="time" />
        </span>
      ) : null}
    </div>
  );
}

interface SpanPlaces {
  param: string;
  toParam: string;
  write: (value: DayTime, end: SpanEnd) => string | null;
}

/** Of two times the day may be named once: from two to three of it. */
function spanOf(form: FormData, { param, toParam, write }: SpanPlaces): Record<string, string | null> {
  const text = (name: string) => textOf(form, name) ?? "";
  const toTime = text("toTime");
  const toDay = text("to") || (toTime && text("from"));
  return {
    [param]: write({ day: text("from"), time: text("fromTime") }, "from"),
    [toParam]: write({ day: toDay, time: toTime }, "to"),
  };
}

function textOf(form: FormData, name: string): string | null {
  return String(form.get(name) ?? "").trim() || null;
}
