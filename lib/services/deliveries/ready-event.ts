import type { ServiceEvent } from "@/inngest/events";

/** What the queue has to know of a delivery. */
export interface ReadyDelivery {
  id: string;
  round: number;
  registrationId: string | null;
  url: string;
}

/**
 * The event that makes the queue deliver. Deliveries of one `receiver` share their places in the queue, so that a slow
 * one holds up itself alone: the registration, or the host of a callback.
 */
export function readyEvent({ id, round, registrationId, url }: ReadyDelivery): ServiceEvent {
  return { name: "delivery/ready", data: { deliveryId: id, round, receiver: registrationId ?? new URL(url).host } };
}
