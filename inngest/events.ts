/**
 * The events that move work along. They carry ids only: the database is the truth.
 * Each is written as an outbox row in the transaction of the business rows.
 */
export interface ServiceEvents {
  /**
   * A turn may run: it is the oldest open one of its session. `priority` is that of `turnPriority`; servers of the version before
   * write none. `tried` is how often it was tried before it was held for its model's pace, where it was.
   */
  "turn/ready": { turnId: string; sessionId: string; accountId: string; priority?: number; tried?: number };
  /** A video of a turn is being made at the provider; the worker of that generation has handed the turn over. */
  "video/started": { turnId: string; generation: number; accountId: string };
  /** A mail waits to be sent. */
  "mail/ready": { mailId: string };
  /** A message waits to be sent to a team's chat. */
  "chat-message/ready": { messageId: string };
  /**
   * A delivery waits for its first attempt, or to be sent again; `receiver` keeps slow receivers apart, `priority` news and what is
   * late. Servers of the version before write no priority.
   */
  "delivery/ready": { deliveryId: string; round: number; receiver: string; priority?: number };
  /** A completed turn of an end user whose project keeps memory; `endUser`, a digest, keeps updates of one profile apart. */
  "memory/due": { turnId: string; endUser: string };
  /** What is kept of an end user is to be written into a file. */
  "end-user/export": { dataRequestId: string };
  /** What is kept of an end user is to be erased. */
  "end-user/erase": { dataRequestId: string };
  /** What an account has is to be written into a file. */
  "account/export": { exportId: string };
  /** An account is to be erased, with all that belongs to it. */
  "account/erase": { accountId: string };
}

export type ServiceEventName = keyof ServiceEvents;

export type ServiceEvent = { [Name in ServiceEventName]: { name: Name; data: ServiceEvents[Name] } }[ServiceEventName];
