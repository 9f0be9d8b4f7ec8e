"use client";

import { ReasonDialog, type ReasonedAction } from "@/components/staff/reason-dialog";

interface ResendButtonProps {
  deliveryId: string;
  resend: ReasonedAction<{ deliveryId: string }>;
}

/** Sends a delivery of an account again. */
export function ResendButton({ deliveryId, resend }: ResendButtonProps) {
  return (
    <ReasonDialog
      action={resend}
      label="Send again"
      read={() => ({ deliveryId })}
      submitLabel="Send again"
      success="On its way again"
      text="The same bytes go to the receiver in a new round of attempts."
      title="Send this delivery again?"
    />
  );
}
