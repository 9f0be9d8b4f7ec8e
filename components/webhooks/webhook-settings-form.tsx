"use client";

import { ActionForm } from "@/components/ui/action-form";
import { readWebhookFields, WebhookFields } from "@/components/webhooks/webhook-fields";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { UpdateWebhookInput, Webhook } from "@/lib/contracts/webhooks";

interface WebhookSettingsFormProps {
  webhook: Webhook;
  updateWebhook: (input: UpdateWebhookInput) => Promise<ActionResult<unknown>>;
}

/** Changes where events go, and which. */
export function WebhookSettingsForm({ webhook: { id, url, events }, updateWebhook }: WebhookSettingsFormProps) {
  return (
    <ActionForm
      action={updateWebhook}
      read={(form) => ({ webhookId: id, ...readWebhookFields(form) })}
      submitLabel="Save"
      success="Webhook saved"
    >
      <WebhookFields events={events} url={url} />
    </ActionForm>
  );
}
