"use client";

import { ConfirmButton } from "@/components/ui/confirm-button";
import { formatNumber } from "@/components/ui/format-number";
import { useGoOn } from "@/components/ui/use-go-on";
import type { ActionResult } from "@/lib/contracts/action-result";

interface SendPastButtonProps {
  /** "312 past events" */
  what: string;
  /** Bound to the webhook and the span of time. */
  sendPast: () => Promise<ActionResult<number>>;
  /** Where the webhook's deliveries are listed. */
  path: string;
}

/** Sends a webhook what it has not got, after a question: its receiver is called once for each. */
export function SendPastButton({ what, sendPast, path }: SendPastButtonProps) {
  const goOn = useGoOn();
  return (
    <ConfirmButton
      action={sendPast}
      confirmLabel="Send"
      isDestructive={false}
      label="Send them here"
      onDone={() => goOn(path)}
      success={(count) => (count === 1 ? "1 event is on its way" : `${formatNumber(count)} events are on their way`)}
      text="Your receiver is called once for each, oldest first, each time with another X-Service-Delivery. A system that got them at another address already gets them twice."
      title={`Send ${what} here?`}
      variant="outline"
    />
  );
}
