"use client";

import { Button } from "@heroui/react";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";

interface DismissButtonProps {
  /** Bound to its alert. */
  action: () => Promise<ActionResult<unknown>>;
  /** Of the alert, for screen readers. */
  title: string;
}

/** Takes an alert from the list. */
export function DismissButton({ action, title }: DismissButtonProps) {
  const { run, isPending } = useAction(action, {
    success: "Alert dismissed",
    // The button goes with its alert: the keyboard goes on from the page's content.
    onDone: () => document.getElementById("content")?.focus(),
  });
  return (
    <Button
      aria-label={`Dismiss: ${title}`}
      isPending={isPending}
      onPress={() => run(undefined)}
      size="sm"
      variant="outline"
    >
      Dismiss
    </Button>
  );
}
