import type { ReactNode } from "react";
import { CallAnswerView } from "@/components/calls/call-answer-view";
import { CallStatus } from "@/components/calls/call-status";
import { CallSummaryView } from "@/components/calls/call-summary-view";
import { DeliveryTable } from "@/components/deliveries/delivery-table";
import { formatCredits, formatDuration } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { KeyValues } from "@/components/ui/key-values";
import { Section } from "@/components/ui/section";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { CallDetail } from "@/lib/contracts/call-log";
import type { DeliveryRecord } from "@/lib/contracts/deliveries";

interface CallFactsProps {
  call: CallDetail;
  /** Of the session that it started or went on with, newest first. */
  deliveries: DeliveryRecord[];
  /** Where what it names is shown. */
  addresses: Record<"session" | "key" | "delivery", (id: string) => string>;
  /** The log with nothing but these filters. */
  logHrefOf: (filters: Record<string, string>) => string;
}

/** All that is known of a call: names and sizes, nothing of its content. */
export function CallFacts(props: CallFactsProps) {
  const { call, deliveries, addresses } = props;
  return (
    <>
      <Facts {...props} />
      {call.turns.length > 0 ? (
        <Section title="What it started">
          <StartedTurns hrefOf={addresses.session} turns={call.turns} />
        </Section>
      ) : null}
      <CallSummaryView summary={call.summary} />
      <CallAnswerView status={call.status} summary={call.summary} />
      {deliveries.length > 0 ? (
        <Section text="The newest of its session." title="Deliveries">
          <DeliveryTable
            deliveries={deliveries}
            empty={null}
            hasSession={false}
            hrefOf={({ id }) => addresses.delivery(id)}
          />
        </Section>
      ) : null}
    </>
  );
}

function Facts({ call, addresses, logHrefOf }: CallFactsProps) {
  const { errorCode, apiKey, endUserId, ip, sessionId } = call;
  const filterLink = (filters: { ip: string } | { endUserId: string }, children: ReactNode) => (
    <TextLink href={logHrefOf(filters)}>{children}</TextLink>
  );
  // What it started is listed for itself.
  const shownSession = call.turns.length === 0 ? sessionId : null;
  return (
    <KeyValues
      items={[
        { name: "Status", value: <CallStatus call={call} /> },
        {
          name: "Why",
          value: errorCode && <TextLink href={`/docs/errors#${errorCode}`}>What it means and what to do</TextLink>,
        },
        { name: "Path", value: <span className="font-mono">{call.path}</span> },
        { name: "When", value: <TimeText at={call.createdAt} kind="exact" /> },
        { name: "Response time", value: formatDuration(call.durationMs) },
        { name: "Cost", value: formatCredits(call.credits) },
        { name: "Request id", value: <IdText id={call.requestId} label="the request id" /> },
        {
          name: "Key",
          value: apiKey && (
            <TextLink href={addresses.key(apiKey.id)}>
              <bdi>{apiKey.name}</bdi> <span className="font-mono">…{apiKey.hint}</span>
            </TextLink>
          ),
        },
        { name: "From", value: ip && filterLink({ ip }, <span className="font-mono">{ip}</span>) },
        { name: "Client", value: call.userAgent },
        { name: "End user", value: endUserId && filterLink({ endUserId }, endUserId) },
        {
          name: "Session",
          value: shownSession && (
            <IdText href={addresses.session(shownSession)} id={shownSession} label="the session id" />
          ),
        },
      ]}
    />
  );
}

function StartedTurns({ turns, hrefOf }: Pick<CallDetail, "turns"> & { hrefOf: (sessionId: string) => string }) {
  return (
    <ul className="grid gap-1.5 text-code">
      {turns.map((turn) => (
        <li className="flex flex-wrap items-center justify-between gap-x-4" key={turn.id}>
          <IdText href={hrefOf(turn.sessionId)} id={turn.sessionId} label="the session id" />
          <span className="flex gap-4">
            <StatusDot status={turn.status} />
            <span className="text-muted tabular-nums">{formatCredits(turn.creditsUsed)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="text-accent-text hover:underline" href={href}>
      {children}
    </a>
  );
}
