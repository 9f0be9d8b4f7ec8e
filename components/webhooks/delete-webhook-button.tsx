"use client";

import { ConfirmButton } from "@/components/ui/confirm-button";
import { useGoOn } from "@/components/ui/use-go-on";
import type { ActionResult } from "@/lib/contracts/action-result";

interface DeleteWebhookButtonProps {
  url: string;
  /** Bound to the webhook. */
  deleteWebhook: () => Promise<ActionResult<unknown>>;
}

/** Deletes a webhook whose host was typed, and goes back to the list. */
export function DeleteWebhookButton({ url, deleteWebhook }: DeleteWebhookButtonProps) {
  const goOn = useGoOn();
  return (
    <ConfirmButton
      action={deleteWebhook}
      confirmLabel="Delete webhook"
      label="Delete"
      name={new URL(url).host}
      onDone={() => goOn("/panel/api-b2b/webhooks", "replace")}
      success="Webhook deleted"
      text="Its secret goes at once, and what was not delivered never will be. The log of its deliveries stays."
      title="Delete this webhook?"
      variant="danger-soft"
    />
  );
}
