/** The kinds of events a receiver can be told of (§6.1). */
export const WEBHOOK_EVENTS = ["completion", "error", "session.started", "session.timeout", "tokens.exceeded"] as const;

export type WebhookEventKind = (typeof WEBHOOK_EVENTS)[number];
