"use client";

import { ReasonDialog, type ReasonedAction } from "@/components/staff/reason-dialog";

interface DeclineButtonProps {
  requestId: string;
  /** "500 credits", "Growth plan" */
  wanted: string;
  companyName: string;
  decline: ReasonedAction<{ requestId: string }>;
}

/** Declines what a company asked for, and says why. */
export function DeclineButton({ requestId, wanted, companyName, decline }: DeclineButtonProps) {
  return (
    <ReasonDialog
      about={`${wanted} for ${companyName}`}
      action={decline}
      label="Decline"
      read={() => ({ requestId })}
      submitLabel="Decline the request"
      success="Request declined"
      text={
        <>
          <bdi>{companyName}</bdi> asked for {wanted}. Its people read your reason with the request, and may ask again.
        </>
      }
      title="Decline this request?"
    />
  );
}
