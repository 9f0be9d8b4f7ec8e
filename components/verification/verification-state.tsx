import type { ReactNode } from "react";
import { StatusDot } from "@/components/ui/status-dot";
import { SupportLink } from "@/components/ui/support-link";
import { TimeText } from "@/components/ui/time-text";
import { DueClock } from "@/components/verification/due-clock";
import type { Verification, VerificationSubmission } from "@/lib/contracts/verification";

export interface VerificationStateProps {
  verification: Verification;
  /** When the server drew the page. */
  serverNow: string;
  /** Whom a mail tells of the answer: the reader by their address, or others; null: the service sends none. */
  mailTo: { email: string } | "owners and admins" | null;
}

/** How a company's verification stands, wherever its own people read it. */
export const VERIFICATION_WORDS: Record<Verification["status"], string> = {
  unsubmitted: "Not handed in yet",
  pending: "Being checked",
  more_info: "Waiting for you",
  verified: "Verified",
  rejected: "Rejected",
  suspended: "Suspended",
};

/** How the company stands, since when, and what happens next. */
export function VerificationState({ verification, serverNow, mailTo }: VerificationStateProps) {
  const { status, submissions } = verification;
  const [current] = submissions;
  return (
    <div className="rounded-xl border border-border bg-surface p-5">
      <p className="font-semibold">
        <StatusDot status={status} word={VERIFICATION_WORDS[status]} />
      </p>
      <div className="mt-1 max-w-[72ch] text-pretty text-muted">
        {nextStep(verification, serverNow)} {status === "pending" ? <MailWords mailTo={mailTo} /> : null}
      </div>
      {status === "pending" && current ? (
        <div className="mt-4">
          <DueClock dueAt={current.dueAt} serverNow={serverNow} submittedAt={current.submittedAt} />
        </div>
      ) : null}
      {verification.suspension?.reason ? <Said title="The reason" text={verification.suspension.reason} /> : null}
      {current?.message && isDecidedBy(current, status) ? (
        <Said text={current.message} title={SAID_TITLES[current.status]} />
      ) : null}
    </div>
  );
}

/** Where else the answer is heard of: whoever waits can close the page. */
function MailWords({ mailTo }: Pick<VerificationStateProps, "mailTo">) {
  if (mailTo === null) return null;
  if (mailTo === "owners and admins") return "A mail tells the account's owners and admins when it is there.";
  return (
    <>
      A mail to <span className="text-foreground [overflow-wrap:anywhere]">{mailTo.email}</span> tells you when it is
      there.
    </>
  );
}

const SAID_TITLES: Record<VerificationSubmission["status"], string> = {
  pending: "What we wrote",
  more_info: "What we ask",
  approved: "What we wrote",
  rejected: "The reason",
};

/** Whether the company stands as it was decided then: a message of before is in the history. */
function isDecidedBy(submission: VerificationSubmission, status: Verification["status"]): boolean {
  return submission.status === (status === "verified" ? "approved" : status);
}

/** What staff wrote. */
function Said({ title, text }: { title: string; text: string }) {
  return (
    <blockquote className="mt-4 max-w-[72ch] border-warning border-l-2 pl-3">
      <p className="text-code text-muted">{title}</p>
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        <bdi>{text}</bdi>
      </p>
    </blockquote>
  );
}

function nextStep({ status, verifiedAt, suspension, submissions }: Verification, serverNow: string): ReactNode {
  switch (status) {
    case "pending":
      return isLate(submissions[0], serverNow) ? (
        <>
          The answer is late; nothing is missing from your side. If it is urgent,{" "}
          <SupportLink>write to the support</SupportLink>. You find the answer here and among your alerts.
        </>
      ) : (
        "People look at what you handed in. You find the answer here and among your alerts."
      );
    case "more_info":
      return "We could not verify the company with what we have. Answer at the fields below and hand it in again; the 48 hours begin anew.";
    case "rejected":
      return "The company was not verified. If the reason no longer holds, change the data below and hand it in again.";
    case "suspended":
      if (suspension?.isErasure)
        return "An owner had this account erased. Its keys are closed, and all of it is going.";
      return (
        <>
          {suspension ? (
            <>
              Since <TimeText at={suspension.since} kind="exact" /> every
            </>
          ) : (
            "Every"
          )}{" "}
          key of this account is closed; nothing is deleted.{" "}
          {suspension?.reason ? (
            <>
              Settle what stands below, then <SupportLink>write to the support</SupportLink>
            </>
          ) : (
            <>
              <SupportLink>Write to the support</SupportLink> and ask why
            </>
          )}
          : once staff end the suspension, keys work as they did. Nothing can be handed in until then.
        </>
      );
    case "verified":
      return verifiedAt ? (
        <>
          Since <TimeText at={verifiedAt} kind="exact" />.{" "}
          {submissions.length === 0 ? "It was verified by hand." : null}
        </>
      ) : (
        "Keys can be created."
      );
    default:
      return "Hand in your company's data once. People check it within 48 hours.";
  }
}

function isLate(submission: VerificationSubmission | undefined, serverNow: string): boolean {
  return submission !== undefined && Date.parse(submission.dueAt) <= Date.parse(serverNow);
}
