import type { ReactNode } from "react";
import { formatCredits } from "@/components/ui/format-number";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { AccountRequestRecord } from "@/lib/contracts/account-requests";

interface AccountRequestsProps {
  requests: AccountRequestRecord[];
  /** The plans' names by their ids. */
  plans: Record<string, { name: string }>;
  /** What can be done about an open one. */
  buttonOf: (request: AccountRequestRecord) => ReactNode;
  /** Says of which company each is, in lists of several. */
  companyOf?: (request: AccountRequestRecord) => ReactNode;
}

const STATES = {
  open: { word: "open", tone: "warning" },
  granted: { word: "granted", tone: "success" },
  declined: { word: "declined", tone: "danger" },
  withdrawn: { word: "taken back", tone: "neutral" },
} as const;

/** What an account asked those who run the service for, and what became of it. */
export function AccountRequests({ requests, plans, buttonOf, companyOf }: AccountRequestsProps) {
  return (
    <ol aria-label="Requests" className="divide-y divide-separator rounded-xl border border-border">
      {requests.map((request) => (
        <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3" key={request.id}>
          <div className="min-w-0 flex-1 basis-64 text-code">
            <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <span className="font-medium tabular-nums">{wantedOf(request, plans)}</span>
              {companyOf ? <span className="min-w-0 [overflow-wrap:anywhere]">{companyOf(request)}</span> : null}
              <StatusDot status={request.state} {...STATES[request.state]} />
            </p>
            <Facts request={request} />
          </div>
          {request.state === "open" ? buttonOf(request) : null}
        </li>
      ))}
    </ol>
  );
}

/** "500 credits", "Growth plan" */
export function wantedOf(
  { credits, planId }: Pick<AccountRequestRecord, "credits" | "planId">,
  plans: AccountRequestsProps["plans"],
): string {
  return planId === null ? formatCredits(credits ?? 0) : `${plans[planId]?.name ?? planId} plan`;
}

function Facts({
  request: { note, askedBy, createdAt, state, answer, answeredAt },
}: {
  request: AccountRequestRecord;
}) {
  return (
    <>
      <p className="mt-1 text-muted [overflow-wrap:anywhere]">
        Asked for <TimeText at={createdAt} /> by {askedBy ?? "somebody who is gone"}
        {note ? (
          <>
            : <bdi className="whitespace-pre-wrap">{note}</bdi>
          </>
        ) : null}
      </p>
      {answeredAt && state !== "withdrawn" ? (
        <p className="text-muted [overflow-wrap:anywhere]">
          Answered <TimeText at={answeredAt} />
          {answer ? (
            <>
              : <bdi className="whitespace-pre-wrap">{answer}</bdi>
            </>
          ) : null}
        </p>
      ) : null}
    </>
  );
}
