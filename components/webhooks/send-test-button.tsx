"use client";

import { Button } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useAction } from "@/components/ui/use-action";
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
  const router = useRouter();
  const { run, isPending } = useAction(useOnce(sendTest), {
    onDone: ({ deliveryId }) => router.push(`${path}?delivery=${deliveryId}`, { scroll: false }),
  });
  return (
    <Button isPending={isPending} onPress={() => run({ webhookId })} size="sm">
      Send test event
    </Button>
  );
}
