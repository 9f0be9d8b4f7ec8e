import { CompanyLink } from "@/components/staff/company-link";
import {
  type ConfirmCredits,
  type DecideCredits,
  DecideCreditsButtons,
  GivenSince,
  OfSuspended,
  TakeBackCreditsButton,
} from "@/components/staff/decide-credits-buttons";
import { NobodyElse } from "@/components/staff/nobody-else";
import { formatCredits } from "@/components/ui/format-number";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { StaffCreditRequest } from "@/lib/contracts/staff";

interface CreditRequestsProps {
  requests: StaffCreditRequest[];
  /** Who reads: one's own are for somebody else to confirm, and can be taken back. */
  userId: string;
  /** Nobody else of the staff is there to decide. */
  isOnlyStaff: boolean;
  confirm: ConfirmCredits;
  refuse: DecideCredits;
  /** Says of which account each is. */
  hasAccount?: boolean;
}

const STATES = {
  pending: { word: "waits", tone: "warning" },
  confirmed: { word: "confirmed", tone: "success" },
  refused: { word: "refused", tone: "danger" },
  "taken back": { word: "taken back", tone: "neutral" },
  expired: { word: "expired", tone: "neutral" },
} as const;

/** Large grants of credits: who asked for what and why, and how it was decided; what waits can be decided here. */
export function CreditRequests(props: CreditRequestsProps) {
  const { requests, userId, isOnlyStaff, confirm, refuse, hasAccount = false } = props;
  return (
    <ol className="divide-y divide-separator rounded-xl border border-border">
      {requests.map((request) => (
        <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3" key={request.id}>
          <Facts hasAccount={hasAccount} request={request} />
          {request.state !== "pending" ? null : request.requestedById === userId ? (
            <span className="flex flex-wrap items-center gap-x-4 gap-y-2 text-code text-muted">
              {isOnlyStaff ? <NobodyElse /> : "Somebody else has to decide."}
              <TakeBackCreditsButton request={request} takeBack={refuse} />
            </span>
          ) : (
            <DecideCreditsButtons confirm={confirm} refuse={refuse} request={request} />
          )}
        </li>
      ))}
    </ol>
  );
}

function Facts({ request, hasAccount }: { request: StaffCreditRequest; hasAccount: boolean }) {
  const { accountId, companyName, amount, reason, state, requestedBy, decidedBy, decisionReason } = request;
  return (
    <div className="min-w-0 text-code">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="font-medium tabular-nums">{formatCredits(amount)}</span>
        {hasAccount ? (
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <CompanyLink accountId={accountId} companyName={companyName} />
          </span>
        ) : null}
        <StatusDot status={state} {...STATES[state]} />
        {state === "pending" ? (
          <span className="text-muted">
            until <TimeText at={request.expiresAt} kind="exact" />
          </span>
        ) : null}
      </p>
      <p className="mt-1 text-muted [overflow-wrap:anywhere]">
        Asked for <TimeText at={request.createdAt} /> by {requestedBy ?? "somebody who is gone"}: <bdi>{reason}</bdi>
        <GivenSince credits={request.givenSince} />
        {state === "pending" ? <OfSuspended isSuspended={request.isSuspended} /> : null}
      </p>
      {request.decidedAt ? (
        <p className="text-muted [overflow-wrap:anywhere]">
          Decided <TimeText at={request.decidedAt} /> by {decidedBy ?? "somebody who is gone"}:{" "}
          <bdi>{decisionReason}</bdi>
        </p>
      ) : null}
    </div>
  );
}
