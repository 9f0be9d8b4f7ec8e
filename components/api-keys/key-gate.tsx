import { Lock } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { TimeText } from "@/components/ui/time-text";

interface KeyGateProps {
  /** The account's verification state; anything but "verified" keeps keys from being made. */
  status: string;
  /** Of the latest submission; null: nothing was handed in. */
  submittedAt: string | null;
  dueAt: string | null;
  verificationHref: string;
}

/** Why no key can be made yet, what is missing, and since when it waits (§5.4). */
export function KeyGate(props: KeyGateProps) {
  const { title, text, step } = wordsFor(props);
  return (
    <div className="flex gap-3 rounded-xl border border-border bg-surface p-4">
      <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
      <div>
        <p className="font-semibold">{title}</p>
        <p className="mt-0.5 max-w-[72ch] text-pretty text-muted">{text}</p>
        {step ? (
          <Link className="mt-2 inline-block text-accent-text hover:underline" href={props.verificationHref}>
            {step}
          </Link>
        ) : null}
      </div>
    </div>
  );
}

function wordsFor({ status, submittedAt, dueAt }: KeyGateProps): { title: string; text: ReactNode; step?: string } {
  switch (status) {
    case "pending":
      return {
        title: "Your company is being verified",
        text: (
          <>
            {submittedAt ? (
              <>
                You handed in your company's data <TimeText at={submittedAt} />.
              </>
            ) : null}{" "}
            {dueAt ? (
              <>
                The answer is due <TimeText at={dueAt} kind="deadline" />.
              </>
            ) : null}{" "}
            Keys can be created from the moment it is approved.
          </>
        ),
        step: "See your verification",
      };
    case "more_info":
      return {
        title: "We have a question about your company",
        text: "Answer what was asked at the fields of your verification, and hand it in again. Until then no key can be created.",
        step: "Answer",
      };
    case "rejected":
      return {
        title: "Your verification was rejected",
        text: "No key can be created. The reason stands with your verification; you can change the data and hand it in again.",
        step: "See the reason",
      };
    case "suspended":
      return {
        title: "Your account is suspended",
        text: "Every key of this account is closed and answers 403 B2B_NOT_VERIFIED. Keys come back as they were once the suspension ends.",
        step: "See your verification",
      };
    default:
      return {
        title: "Verify your company first",
        text: "API keys are for verified companies. Hand in your company's data; staff answer within 48 hours.",
        step: "Start verification",
      };
  }
}
