"use client";

import { Button } from "@heroui/react";
import { useAction } from "@/components/ui/use-action";
import { useGoOn } from "@/components/ui/use-go-on";
import { useOnce } from "@/components/ui/use-once";
import type { ActionResult } from "@/lib/contracts/action-result";

interface SendTestButtonProps {
  webhookId: string;
  sendTest: (input: { webhookId: string; attempt?: string }) => Promise<ActionResult<{ deliveryId: string }>>;
  /** Where the webhook's deliveries are listed. */
  path: string;
}

/** Sends a test event and opens it, so that its result comes in before the sender's eyes. */
export function SendTestButton({ webhookId, sendTest, path }: SendTestButtonProps) {
  const goOn = useGoOn();
  const { run, isPending } = useAction(useOnce(sendTest), {
    onDone: ({ deliveryId }) => goOn(`${path}?delivery=${deliveryId}`, "push", { scroll: false }),
  });
  return (
    <Button isPending={isPending} onPress={() => run({ webhookId })} size="sm">
      Send test event
    </Button>
  );
}
