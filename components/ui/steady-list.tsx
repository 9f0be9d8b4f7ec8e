"use client";

import type { ReactNode } from "react";
import type { AddressParams } from "@/components/ui/address";
import { cursorHrefs } from "@/components/ui/cursor-trail";
import type { DrawnPart } from "@/components/ui/keep-places";
import { NewRows } from "@/components/ui/new-rows";
import { PageLinks } from "@/components/ui/pagination";
import { useKeptPlaces } from "@/components/ui/use-kept-places";

/** What a list that goes on by itself is given by its page. */
export interface SteadyListProps<Row> extends DrawnPart<Row> {
  path: string;
  params: AddressParams;
  /** Stands beside the line that tells of new rows. */
  action?: ReactNode;
  /** How the list is ordered, where that is not all there is to say. */
  summary?: ReactNode;
}

interface SteadyListFrameProps<Row> extends SteadyListProps<Row> {
  /** What it lists: one of them, and many. */
  nouns: [one: string, many: string];
  /** The row that is open. */
  selectedId?: string;
  table: (rows: Row[]) => ReactNode;
}

/**
 * A list, newest first, that its page draws again and again: rows keep their places, and new ones wait until they are asked
 * for. Its parts stand in the row of the filters, and below. Each set of filters and each part of the list needs its own key.
 */
export function SteadyList<Row extends { id: string }>(props: SteadyListFrameProps<Row>) {
  const { path, params, action, summary = "Newest first", nouns, selectedId, table } = props;
  const { rows, nextCursor, newCount, isMore, showNew } = useKeptPlaces(props, selectedId);
  return (
    <>
      <div className="mb-3 flex min-h-7 items-center gap-3 sm:ml-auto">
        {/* Has its room before there is anything in it: the rows below would move. */}
        <div className="flex min-h-9 items-center sm:min-w-48 max-sm:order-last sm:justify-end md:min-h-7">
          <NewRows count={newCount} isMore={isMore} of={nouns[newCount === 1 ? 0 : 1]} onShow={showNew} />
        </div>
        {action}
      </div>
      <div className="min-w-0 basis-full">
        {table(rows)}
        {rows.length > 0 ? <PageLinks {...cursorHrefs(path, params, nextCursor)} summary={summary} /> : null}
      </div>
    </>
  );
}
