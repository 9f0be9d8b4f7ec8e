"use client";

import type { MadeCall } from "@/components/playground/use-playground-calls";
import { StatusDot } from "@/components/ui/status-dot";
import { httpStatusTone } from "@/components/ui/status-tones";
import { TimeText } from "@/components/ui/time-text";
import type { PlaygroundEndpoint } from "@/lib/contracts/playground";

interface CallHistoryProps {
  calls: MadeCall[];
  endpoints: PlaygroundEndpoint[];
  selected: number | undefined;
  onSelect: (call: MadeCall) => void;
}

/** The calls of this tab; one brings back its fields and its answer. */
export function CallHistory({ calls, endpoints, selected, onSelect }: CallHistoryProps) {
  return (
    <ol className="divide-y divide-separator overflow-hidden rounded-lg border border-border">
      {calls.map((call) => {
        const answer = typeof call.answer === "string" ? null : call.answer;
        const status = answer?.status ?? null;
        return (
          <li key={call.number}>
            <button
              aria-current={call.number === selected}
              className="flex min-h-10 w-full flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-left text-code hover:bg-default aria-[current=true]:bg-default"
              onClick={() => onSelect(call)}
              type="button"
            >
              <span className="min-w-0 font-mono [overflow-wrap:anywhere]">
                {endpoints.find(({ id }) => id === call.endpointId)?.name}
              </span>
              <StatusDot
                status={String(status)}
                tone={httpStatusTone(status)}
                word={status === null ? "no answer" : String(status)}
              />
              <span className="text-muted tabular-nums">{answer ? `${answer.durationMs} ms` : ""}</span>
              <span className="ml-auto text-muted">
                <TimeText at={call.at} kind="exact" />
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
