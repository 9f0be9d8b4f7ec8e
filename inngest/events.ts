/**
 * The events that move work along. They carry ids only: the database is the truth.
 * Each is written as an outbox row in the transaction of the business rows.
 */
export interface ServiceEvents {
  /** A turn may run: it is the oldest open one of its session. */
  "turn/ready": { turnId: string; sessionId: string; accountId: string };
  /** A delivery waits for its first attempt, or to be sent again; `receiver` keeps slow receivers apart. */
  "delivery/ready": { deliveryId: string; round: number; receiver: string };
  /** A completed turn of an end user whose project keeps memory; `endUser` keeps updates of one profile apart. */
  "memory/due": { turnId: string; endUser: string };
}

export type ServiceEventName = keyof ServiceEvents;

export type ServiceEvent = { [Name in ServiceEventName]: { name: Name; data: ServiceEvents[Name] } }[ServiceEventName];
