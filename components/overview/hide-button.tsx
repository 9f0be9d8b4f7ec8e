"use client";

import { Button } from "@heroui/react";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";

/** Puts the finished checklist away. */
export function HideButton({ action }: { action: () => Promise<ActionResult<unknown>> }) {
  const { run, isPending } = useAction(action, {
    // The button goes with the list: the keyboard goes on from the page's content.
    onDone: () => document.getElementById("content")?.focus(),
  });
  return (
    <Button isPending={isPending} onPress={() => run(undefined)} size="sm" variant="outline">
      Hide
    </Button>
  );
}
