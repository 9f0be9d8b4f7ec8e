"use client";

import { useState } from "react";
import { type DrawnPart, type KeptPart, keepPlaces, takeAll } from "@/components/ui/keep-places";

/**
 * Keeps the rows that are shown in their places when the page draws its list anew: the one that is about to be pressed
 * stays where it is. With another place or other filters the component needs another key.
 * @param wantedId a row that is open: where it is a new one, it was asked for
 */
export function useKeptPlaces<Row extends { id: string }>(
  drawn: DrawnPart<Row>,
  wantedId?: string,
): KeptPart<Row> & { showNew: () => void } {
  const [view, setView] = useState(() => ({ drawnRows: drawn.rows, kept: takeAll(drawn) }));
  let { kept } = view;
  // With the draw itself: an effect would show the moved rows first.
  if (view.drawnRows !== drawn.rows) {
    const next = keepPlaces(kept, drawn);
    const has = ({ rows }: DrawnPart<Row>) => rows.some(({ id }) => id === wantedId);
    kept = has(drawn) && !has(next) ? takeAll(drawn) : next;
    setView({ drawnRows: drawn.rows, kept });
  }
  const showNew = () => setView({ drawnRows: drawn.rows, kept: takeAll(drawn) });
  return { ...kept, showNew };
}
