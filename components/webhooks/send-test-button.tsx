"use client";

import { Button } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";

interface SendTestButtonProps {
  /** Bound to the webhook. */
  sendTest: () => Promise<ActionResult<{ deliveryId: string }>>;
  /** Where the webhook's deliveries are listed. */
  path: string;
}

/** Sends a test event and opens it, so that its result comes in before the sender's eyes. */
export function SendTestButton({ sendTest, path }: SendTestButtonProps) {
  const router = useRouter();
  const { run, isPending } = useAction(sendTest, {
    onDone: ({ deliveryId }) => router.push(`${path}?delivery=${deliveryId}`, { scroll: false }),
  });
  return (
    <Button isPending={isPending} onPress={() => run(undefined)} size="sm">
      Send test event
    </Button>
  );
}
