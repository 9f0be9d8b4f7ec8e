import type { Choice } from "@/components/ui/choice-fields";
import type { WebhookEventKind } from "@/lib/domain/webhook-events";

/** When each kind of event is sent (§6.1). */
const EVENT_WORDS: Record<WebhookEventKind, string> = {
  completion: "An answer is there, with its text or the link to its file",
  error: "A turn failed for good, with the reason",
  "session.started": "A new session began",
  "session.timeout": "A session expired after two hours without activity",
  "tokens.exceeded": "The plan's token limit was reached, once per month",
};

export const EVENT_CHOICES: (Choice & { id: WebhookEventKind })[] = (
  Object.keys(EVENT_WORDS) as WebhookEventKind[]
).map((id) => ({ id, name: id, text: EVENT_WORDS[id] }));
