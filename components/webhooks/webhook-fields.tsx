import { CheckboxesInput } from "@/components/ui/choice-fields";
import { TextInput } from "@/components/ui/fields";
import { EVENT_CHOICES } from "@/components/webhooks/event-words";
import type { WebhookEventKind } from "@/lib/domain/webhook-events";

interface WebhookFieldsProps {
  url?: string;
  events: WebhookEventKind[];
  /** In a dialog, which opens for them. */
  autoFocus?: boolean;
}

/** Address and events of a receiver, for the forms that make and change one. */
export function WebhookFields({ url, events, autoFocus = false }: WebhookFieldsProps) {
  return (
    <>
      <TextInput
        autoComplete="off"
        autoFocus={autoFocus}
        defaultValue={url}
        description="A public HTTPS address that answers with 2xx within 10 seconds."
        isMono
        label="Address"
        maxLength={2_048}
        name="url"
        placeholder="https://example.com/webhooks"
      />
      <CheckboxesInput choices={EVENT_CHOICES} defaultValue={events} label="Events" name="events" />
    </>
  );
}

/** What the fields hold. */
export function readWebhookFields(form: FormData): { url: string; events: WebhookEventKind[] } {
  return { url: String(form.get("url") ?? "").trim(), events: form.getAll("events") as WebhookEventKind[] };
}
