"use client";

import { Button } from "@heroui/react";
import { Pause, Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { CallTable } from "@/components/calls/call-table";
import { mergeCalls, NO_LIVE_ROWS, takeIn } from "@/components/calls/live-rows";
import { type TailPlace, useCallTail } from "@/components/calls/use-call-tail";
import { type AddressParams, addressWith } from "@/components/ui/address";
import { LiveIndicator } from "@/components/ui/live-indicator";
import { NewRows } from "@/components/ui/new-rows";
import { refreshWhenThere } from "@/components/ui/refresh-when-there";
import type { LoggedCall } from "@/lib/contracts/call-log";

interface CallLogProps {
  /** As the server drew them. */
  calls: LoggedCall[];
  /** Null: nothing can come to this part of the list any more. */
  tail: TailPlace | null;
  path: string;
  params: AddressParams;
  selectedId?: string;
  empty: ReactNode;
}

/**
 * The list of calls, to which new ones come by themselves until the reader pauses it. Its parts stand in the row of the
 * filters, and below: with other filters it is another list, and they stay, with the focus in them.
 */
export function CallLog({ calls, tail, path, params, selectedId, empty }: CallLogProps) {
  const [isPaused, setPaused] = useState(false);
  const [live, setLive] = useState(NO_LIVE_ROWS);
  const [first] = useState(calls);
  const table = useRef<HTMLDivElement>(null);
  const isReaching = useCallTail(isPaused ? null : tail, (arrived) =>
    setLive((rows) => takeIn(rows, arrived, isBusy(table.current))),
  );
  const rows = mergeCalls(tail ? first : calls, calls, live);
  useCreditsRefresh(tail !== null && !isPaused && live.held.length === 0 && rows.some(isUnsettled));
  const { held } = live;
  return (
    <>
      {tail ? (
        <div className="mb-3 flex min-h-7 items-center gap-3">
          <NewRows
            count={held.length}
            onShow={() => {
              setLive((before) => takeIn(before, [], false));
              table.current?.scrollIntoView({ block: "nearest" });
            }}
          />
          {isPaused ? <span className="text-code text-muted">Paused</span> : <LiveIndicator isLive={isReaching} />}
          <Button className="md:h-7" onPress={() => setPaused(!isPaused)} size="sm" variant="outline">
            {isPaused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
            {isPaused ? "Resume" : "Pause"}
          </Button>
        </div>
      ) : null}
      <div className="min-w-0 basis-full" ref={table}>
        <CallTable
          calls={rows}
          empty={empty}
          hrefOf={({ id }) => addressWith(path, params, { call: id })}
          newIds={live.newIds}
          selectedId={selectedId}
        />
      </div>
    </>
  );
}

/** Whether the reader points at a row, has one focused, or has scrolled into the list: then no row may move. */
function isBusy(table: HTMLElement | null): boolean {
  if (!table?.querySelector("tbody")) return false;
  const isScrolledIn = table.getBoundingClientRect().top < 0;
  return isScrolledIn || table.matches(":hover") || table.contains(document.activeElement);
}

const CREDITS_REFRESH_MS = 5_000;
const SETTLES_WITHIN_MS = 120_000;

/** Whether the work that the call started may not have been charged yet. */
function isUnsettled({ status, credits, createdAt }: LoggedCall): boolean {
  return status === 202 && credits === 0 && Date.now() - Date.parse(createdAt) < SETTLES_WITHIN_MS;
}

/** A call stands in the list before its work ends; what that cost is read afterwards. */
function useCreditsRefresh(isWaiting: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!isWaiting) return;
    let isOver = false;
    const isWanted = () => !isOver && document.visibilityState === "visible";
    const timer = setInterval(() => refreshWhenThere(router, isWanted), CREDITS_REFRESH_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [isWaiting, router]);
}
