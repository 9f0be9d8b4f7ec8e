"use client";

import { Button } from "@heroui/react";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ActButtonProps {
  label: string;
  /** Bound to what it acts on. */
  action: () => Promise<ActionResult<unknown>>;
  success: string;
  variant?: "primary" | "outline";
}

/** Does one thing that needs no question, and says what happened. */
export function ActButton({ label, action, success, variant = "outline" }: ActButtonProps) {
  const { run, isPending } = useAction(action, { success });
  return (
    <Button isPending={isPending} onPress={() => run(undefined)} size="sm" variant={variant}>
      {label}
    </Button>
  );
}
