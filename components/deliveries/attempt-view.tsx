"use client";

import { useState } from "react";
import { AttemptResult } from "@/components/deliveries/attempt-result";
import { ExactText } from "@/components/deliveries/exact-text";
import { formatDuration } from "@/components/ui/format-number";
import { HeadersViewer } from "@/components/ui/headers-viewer";
import { TimeText } from "@/components/ui/time-text";
import type { AttemptRecord } from "@/lib/contracts/deliveries";

interface AttemptViewProps {
  attempt: AttemptRecord;
  /** When it is first drawn; what the reader opens and folds stays so while the page goes on. */
  isOpenAtFirst: boolean;
}

/** One attempt: what went out and what came back. */
export function AttemptView({ attempt, isOpenAtFirst }: AttemptViewProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { round, number, startedAt, durationMs, responseStatus, error, requestHeaders, responseHeaders, responseBody } =
    attempt;
  const errorTone = responseStatus === null ? "text-danger" : "text-muted";
  return (
    <details
      className="group/attempt rounded-lg border border-border"
      onToggle={(event) => setOpen(event.currentTarget.open)}
      open={isOpen}
    >
      <summary className="flex min-h-10 cursor-pointer list-none flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-code [&::-webkit-details-marker]:hidden">
        <span aria-hidden="true" className="-mr-2 w-3 text-muted group-open/attempt:rotate-90">
          ▸
        </span>
        <span className="font-medium">
          Attempt {number}
          {round > 1 ? <span className="font-normal text-muted"> of round {round}</span> : null}
        </span>
        <AttemptResult attempt={attempt} />
        <span className="ml-auto flex gap-4 text-muted tabular-nums">
          {durationMs === null ? null : <span>{formatDuration(durationMs)}</span>}
          <TimeText at={startedAt} kind="exact" />
        </span>
      </summary>
      <div className="grid gap-3 border-separator border-t p-4">
        {error ? <p className={`text-code ${errorTone} [overflow-wrap:anywhere]`}>{error}</p> : null}
        <HeadersViewer headers={requestHeaders} title="Request headers" />
        {responseHeaders ? <HeadersViewer headers={responseHeaders} title="Response headers" /> : null}
        {responseBody ? <ExactText text={responseBody} title="Response body" /> : null}
        {responseBody === "" ? <p className="text-code text-muted">The response had no body.</p> : null}
        {durationMs === null ? <p className="text-code text-muted">Waiting for the receiver's answer.</p> : null}
      </div>
    </details>
  );
}
