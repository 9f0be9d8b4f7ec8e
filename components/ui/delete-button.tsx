"use client";

import { ConfirmButton } from "@/components/ui/confirm-button";
import { useGoOn } from "@/components/ui/use-go-on";
import type { ActionResult } from "@/lib/contracts/action-result";

interface DeleteButtonProps {
  /** "template" */
  what: string;
  /** To be typed. */
  name: string;
  /** What happens then, and what stays. */
  text: string;
  action: () => Promise<ActionResult<unknown>>;
  /** Where there is something left to see. */
  backHref: string;
}

/** Deletes what the page shows, and leaves the page. */
export function DeleteButton({ what, name, text, action, backHref }: DeleteButtonProps) {
  const goOn = useGoOn();
  return (
    <ConfirmButton
      action={action}
      confirmLabel={`Delete ${what}`}
      label="Delete"
      name={name}
      onDone={() => goOn(backHref, "replace")}
      success={`${what.charAt(0).toUpperCase()}${what.slice(1)} deleted`}
      text={text}
      title={`Delete this ${what}?`}
      variant="danger-soft"
    />
  );
}
