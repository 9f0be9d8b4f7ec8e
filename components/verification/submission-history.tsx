import { ChevronRight } from "lucide-react";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import { CompanyFacts } from "@/components/verification/company-facts";
import type { VerificationSubmission } from "@/lib/contracts/verification";

const WORDS: Record<VerificationSubmission["status"], string> = {
  pending: "being checked",
  more_info: "more was asked",
  approved: "approved",
  rejected: "rejected",
};

/** What was handed in and what was answered, the newest first; says so where the oldest are left out. */
export function SubmissionHistory({ submissions }: { submissions: VerificationSubmission[] }) {
  const leftOut = (submissions.at(-1)?.round ?? 1) - 1;
  return (
    <>
      <ol className="divide-y divide-separator rounded-xl border border-border">
        {submissions.map((submission, index) => (
          <li key={submission.id}>
            <Submission before={submissions[index + 1]?.company} submission={submission} />
          </li>
        ))}
      </ol>
      {leftOut > 0 ? (
        <p className="mt-3 text-code text-muted">
          {leftOut === 1 ? "Round 1 is older and not shown." : `Rounds 1 to ${leftOut} are older and not shown.`}
        </p>
      ) : null}
    </>
  );
}

interface SubmissionProps {
  submission: VerificationSubmission;
  before: VerificationSubmission["company"] | undefined;
}

function Submission({ submission, before }: SubmissionProps) {
  const { round, status, submittedAt, decidedAt, message, company, fieldMessages } = submission;
  return (
    <details className="group">
      <summary className="flex min-h-10 cursor-pointer list-none flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-code [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-3.5 text-muted group-open:rotate-90" />
        <span className="font-medium">Round {round}</span>
        <StatusDot status={status} word={WORDS[status]} />
        <span className="text-muted">
          handed in <TimeText at={submittedAt} />
          {decidedAt ? (
            <>
              , answered <TimeText at={decidedAt} />
            </>
          ) : null}
        </span>
      </summary>
      <div className="border-separator border-t px-4 py-3">
        {message ? (
          <blockquote className="mb-3 whitespace-pre-wrap border-warning border-l-2 pl-3 [overflow-wrap:anywhere]">
            <bdi>{message}</bdi>
          </blockquote>
        ) : null}
        <CompanyFacts before={before} company={company} messages={fieldMessages} />
      </div>
    </details>
  );
}
