"use client";

import { Button } from "@heroui/react";
import { type ReactNode, useEffect, useState } from "react";
import { AskForm } from "@/components/staff/ask-form";
import { type DecideAction, DecideDialog } from "@/components/staff/decide-dialog";
import type { VerificationSubmission } from "@/lib/contracts/verification";

interface ReviewProps {
  decide: DecideAction;
  submission: VerificationSubmission;
  companyName: string;
  /** The company data as it was handed in. */
  children: ReactNode;
}

/** A submission that waits: what was handed in, and the three ways to decide. */
export function Review({ decide, submission, companyName, children }: ReviewProps) {
  const [isAsking, setAsking] = useState(false);
  // The form's button takes the focus when it is back: the form that stood in its place had it.
  const [isCancelled, setCancelled] = useState(false);
  useEffect(() => {
    // Both take the focus and leave the page where it stood: of a company that wrote a lot, below all of the questions.
    if (isAsking) bringIntoSight(document.activeElement?.closest("form"), "start");
    else if (isCancelled) bringIntoSight(document.activeElement, "center");
  }, [isAsking, isCancelled]);
  const decision = { decide, submissionId: submission.id, companyName };
  if (isAsking) {
    return (
      <AskForm
        company={submission.company}
        decide={decide}
        onCancel={() => {
          setCancelled(true);
          setAsking(false);
        }}
        submissionId={submission.id}
      />
    );
  }
  return (
    <>
      {children}
      <div className="mt-5 flex flex-wrap gap-2">
        <DecideDialog {...decision} decision="approve" />
        <Button autoFocus={isCancelled} onPress={() => setAsking(true)} size="sm" variant="outline">
          Ask for more
        </Button>
        <DecideDialog {...decision} decision="reject" />
      </div>
    </>
  );
}

/** Nothing moves where it begins in sight. */
function bringIntoSight(part: Element | null | undefined, block: ScrollLogicalPosition) {
  const top = part?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > window.innerHeight) part?.scrollIntoView({ block });
}
