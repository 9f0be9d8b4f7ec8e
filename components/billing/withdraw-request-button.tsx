"use client";

import { Button } from "@heroui/react";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";

interface WithdrawRequestButtonProps {
  /** Bound to its request. */
  action: () => Promise<ActionResult<unknown>>;
  /** "500 credits", for screen readers. */
  about: string;
}

/** Takes a request back that nobody has answered. */
export function WithdrawRequestButton({ action, about }: WithdrawRequestButtonProps) {
  const { run, isPending } = useAction(action, {
    success: "Taken back",
    // The button goes with its request: the keyboard goes on from the page's content.
    onDone: () => document.getElementById("content")?.focus(),
  });
  return (
    <Button
      aria-label={`Take back: ${about}`}
      isPending={isPending}
      onPress={() => run(undefined)}
      size="sm"
      variant="outline"
    >
      Take back
    </Button>
  );
}
