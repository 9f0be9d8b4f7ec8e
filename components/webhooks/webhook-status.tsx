import { StatusDot } from "@/components/ui/status-dot";
import type { Webhook } from "@/lib/contracts/webhooks";

const WORDS: Record<Webhook["status"], string> = { active: "on", inactive: "off", failed: "stopped after failures" };

/** Whether events are sent to a receiver, and if not, why. */
export function WebhookStatus({ status }: Pick<Webhook, "status">) {
  return <StatusDot status={status} word={WORDS[status]} />;
}
