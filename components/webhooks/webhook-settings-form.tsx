"use client";

import { SettingsForm } from "@/components/ui/settings-form";
import { readWebhookFields, WebhookFields } from "@/components/webhooks/webhook-fields";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { SaveResult } from "@/lib/contracts/edit-base";
import type { SaveWebhookInput, Webhook } from "@/lib/contracts/webhooks";

type Receiver = Pick<Webhook, "url" | "events">;

interface WebhookSettingsFormProps {
  webhook: Webhook;
  saveWebhook: (input: SaveWebhookInput) => Promise<ActionResult<SaveResult<Receiver>>>;
}

/** Changes where events go, and which. */
export function WebhookSettingsForm({ webhook: { id, url, events }, saveWebhook }: WebhookSettingsFormProps) {
  return (
    <SettingsForm<Receiver>
      read={readWebhookFields}
      save={(input) => saveWebhook({ ...input, webhookId: id })}
      success="Webhook saved"
      toTexts={(receiver) => ({ Address: receiver.url, Events: [...receiver.events].sort().join("\n") })}
      values={{ url, events }}
      what="webhook"
    >
      {(receiver) => <WebhookFields events={receiver.events} url={receiver.url} />}
    </SettingsForm>
  );
}
