"use client";

import { useState } from "react";
import { ReasonDialog, type ReasonedAction } from "@/components/staff/reason-dialog";

interface ResendButtonProps {
  deliveryId: string;
  /** In which it is by now. */
  round: number;
  resend: ReasonedAction<{ deliveryId: string; round: number }>;
}

/** Sends a delivery of an account again. */
export function ResendButton({ deliveryId, round, resend }: ResendButtonProps) {
  // As it was when the question was put: the page beneath is drawn anew meanwhile.
  const [seen, setSeen] = useState(round);
  return (
    <ReasonDialog
      action={resend}
      label="Send again"
      onAsk={() => setSeen(round)}
      read={() => ({ deliveryId, round: seen })}
      submitLabel="Send again"
      success="On its way again"
      text="The same bytes go to the receiver in a new round of attempts."
      title="Send this delivery again?"
    />
  );
}
