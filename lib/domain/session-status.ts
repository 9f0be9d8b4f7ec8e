/** The six statuses of a session (contract §3), which the `status` filters accept. */
export const SESSION_STATUSES = ["started", "resumed", "completed", "failed", "canceled", "expired"] as const;

export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** What a session shows while a turn of it is queued or running. */
export type OpenStatus = Extract<SessionStatus, "started" | "resumed">;

/** Whether a turn of the session is queued or running. */
export function isOpenStatus(status: SessionStatus): status is OpenStatus {
  return status === "started" || status === "resumed";
}

/** What a turn is until it has ended. */
export const OPEN_TURN_STATUSES = ["queued", "running"] as const;

export const SESSION_KINDS = ["chat", "process"] as const;

export type SessionKind = (typeof SESSION_KINDS)[number];

export const OUTPUT_TYPES = ["text", "image", "audio", "video"] as const;

export type OutputType = (typeof OUTPUT_TYPES)[number];

/** Why an answer ends before it is done: credits ran out, it is as long as the model's may be, the provider's filter cut it. */
export const OUTPUT_CUTS = ["credits", "length", "filter"] as const;

export type OutputCut = (typeof OUTPUT_CUTS)[number];
