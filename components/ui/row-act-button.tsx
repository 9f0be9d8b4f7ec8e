"use client";

import { Button } from "@heroui/react";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";

interface RowActButtonProps {
  /** "Dismiss" */
  label: string;
  /** What it is about, for screen readers, which read the button without its row. */
  about: string;
  /** Bound to what it is about. */
  action: () => Promise<ActionResult<unknown>>;
  /** The toast: "Alert dismissed" */
  success: string;
}

/** Does something to one thing of a list that then stands there without it, or no longer. */
export function RowActButton({ label, about, action, success }: RowActButtonProps) {
  const { run, isPending } = useAction(action, {
    success,
    // The button goes with what it did: the keyboard goes on from the page's content.
    onDone: () => document.getElementById("content")?.focus(),
  });
  return (
    <Button
      aria-label={`${label}: ${about}`}
      isPending={isPending}
      onPress={() => run(undefined)}
      size="sm"
      variant="outline"
    >
      {label}
    </Button>
  );
}
