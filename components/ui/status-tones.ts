/** What a state means to its reader: all is well, it goes on, look at it, it failed, it is over. */
export type Tone = "success" | "running" | "warning" | "danger" | "neutral";

const TONES: Record<string, Tone> = {
  started: "running",
  resumed: "running",
  queued: "running",
  running: "running",
  pending: "running",
  completed: "success",
  delivered: "success",
  active: "success",
  verified: "success",
  approved: "success",
  ok: "success",
  failed: "danger",
  rejected: "danger",
  suspended: "danger",
  overdue: "danger",
  away: "danger",
  more_info: "warning",
  held: "warning",
  expiring: "warning",
};

/** The tone of a state of sessions, turns, deliveries, webhooks, keys, accounts; what is over or unknown is neutral. */
export function statusTone(status: string): Tone {
  return Object.hasOwn(TONES, status) ? (TONES[status] ?? "neutral") : "neutral";
}

/** The tone of an HTTP status; null: there was no answer. */
export function httpStatusTone(status: number | null): Tone {
  if (status === null || status >= 500) return "danger";
  if (status >= 400) return "warning";
  return status >= 300 ? "neutral" : "success";
}
