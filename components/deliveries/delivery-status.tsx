import { StatusDot } from "@/components/ui/status-dot";
import type { DeliveryStatus as Status } from "@/lib/contracts/deliveries";

const WORDS: Record<Status, string> = {
  pending: "on its way",
  delivered: "delivered",
  failed: "failed",
  held: "held back",
};

/** What became of a delivery. */
export function DeliveryStatus({ status }: { status: Status }) {
  return <StatusDot status={status} word={WORDS[status]} />;
}

/** The same as the choices of a filter. */
export const DELIVERY_STATUS_CHOICES = (Object.keys(WORDS) as Status[]).map((id) => ({ id, name: WORDS[id] }));
