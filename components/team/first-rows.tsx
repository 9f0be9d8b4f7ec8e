"use client";

import { Button } from "@heroui/react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { formatCount } from "@/components/ui/format-number";

/** Each row has a field and a button: more than these keep a phone busy for seconds before it does anything. */
const MOST_ROWS = 50;

interface FirstRowsProps<Row> {
  rows: Row[];
  /** What one is called: "member". */
  noun: string;
  /** The table of some of them. */
  children: (rows: Row[]) => ReactNode;
}

/** The first rows of a table, and the rest for whoever asks for it. */
export function FirstRows<Row>({ rows, noun, children }: FirstRowsProps<Row>) {
  const [isWhole, setWhole] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => (isWhole ? rows : rows.slice(0, MOST_ROWS)), [isWhole, rows]);
  const showAll = () => {
    flushSync(() => setWhole(true));
    // The button is gone: who came by the keyboard goes on where the new ones begin.
    const first = place.current?.querySelector<HTMLElement>(`tbody tr:nth-child(${MOST_ROWS + 1})`);
    if (first) first.tabIndex = -1;
    first?.focus({ preventScroll: true });
  };
  return (
    <div ref={place}>
      {children(shown)}
      {rows.length > shown.length ? (
        <Button className="mt-3" onPress={showAll} size="sm" variant="secondary">
          Show all {formatCount(rows.length, noun)}
        </Button>
      ) : null}
    </div>
  );
}
