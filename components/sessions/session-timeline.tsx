import type { ReactNode } from "react";
import { DeliveryStatus } from "@/components/deliveries/delivery-status";
import { stepWords } from "@/components/sessions/progress-words";
import { TimeText } from "@/components/ui/time-text";
import type { SessionTurn, TimelineEntry } from "@/lib/contracts/sessions";

interface SessionTimelineProps {
  entries: TimelineEntry[];
  turns: SessionTurn[];
  deliveryHrefOf: (deliveryId: string) => string;
}

/** What happened in the session, the oldest first, with each event that was sent out. */
export function SessionTimeline({ entries, turns, deliveryHrefOf }: SessionTimelineProps) {
  const names = new Map(turns.map(({ id, position }) => [id, `Turn ${position + 1}`]));
  return (
    <ol aria-label="Timeline" className="border-border border-l pl-5">
      {entries.map((entry) => (
        <li className="relative flex flex-wrap items-baseline justify-between gap-x-6 py-1.5" key={keyOf(entry)}>
          <span
            aria-hidden="true"
            className={`absolute top-3.5 -left-[23.5px] size-1.5 rounded-full ${dotOf(entry)}`}
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {entry.kind === "delivery" ? (
              <Delivery entry={entry} href={deliveryHrefOf(entry.deliveryId)} />
            ) : (
              wordsFor(entry, names)
            )}
          </span>
          <span className="text-code text-muted">
            <TimeText at={entry.at} kind="exact" />
          </span>
        </li>
      ))}
    </ol>
  );
}

type DeliveryEntry = Extract<TimelineEntry, { kind: "delivery" }>;

const DOTS: Record<string, string> = {
  "turn.completed": "bg-success",
  "turn.failed": "bg-danger",
  "turn.retried": "bg-warning",
  delivered: "bg-success",
  failed: "bg-danger",
  held: "bg-warning",
};

function dotOf(entry: TimelineEntry): string {
  return DOTS[entry.kind === "delivery" ? entry.status : entry.kind] ?? "bg-muted forced-colors:bg-[color:GrayText]";
}

function wordsFor(entry: Exclude<TimelineEntry, DeliveryEntry>, names: Map<string, string>): ReactNode {
  if (entry.kind === "session.created") return "The session began";
  if (entry.kind === "memory.updated") return `What is remembered of the end user changed: version ${entry.version}`;
  const turn = names.get(entry.turnId) ?? "A turn";
  switch (entry.kind) {
    case "turn.accepted":
      return `${turn} was accepted`;
    case "turn.started":
      return `${turn}: the AI began`;
    case "turn.progress":
      return `${turn}: ${stepWords(entry)}`;
    case "turn.retried":
      return `${turn}: the model broke off; what it had written was dropped and it was asked again`;
    case "turn.completed":
      return `${turn} was completed`;
    case "turn.canceled":
      return `${turn} was canceled`;
    case "turn.failed":
      return (
        <>
          {turn} failed <span className="font-mono text-code text-muted">{entry.errorCode}</span>
        </>
      );
  }
}

function Delivery({ entry: { event, url, status, attempts }, href }: { entry: DeliveryEntry; href: string }) {
  return (
    <>
      <a className="font-mono text-accent-text text-code hover:underline" href={href}>
        {event}
      </a>{" "}
      to <span className="font-mono text-code">{url}</span>{" "}
      <span className="ml-2 text-code">
        <DeliveryStatus status={status} />
        {attempts > 1 ? <span className="text-muted">, {attempts} attempts</span> : null}
      </span>
    </>
  );
}

function keyOf(entry: TimelineEntry): string {
  if (entry.kind === "delivery") return entry.deliveryId;
  const step = entry.kind === "turn.progress" ? `${entry.stage} ${entry.done} ${entry.covers}` : "";
  return `${entry.kind} ${"turnId" in entry ? entry.turnId : ""} ${entry.at} ${step}`;
}
