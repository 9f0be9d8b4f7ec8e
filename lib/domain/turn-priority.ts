import type { SessionKind } from "@/lib/domain/session-status";

/**
 * How far ahead of others of its account a turn is, in seconds, as the queue words it: somebody waits for the next words of a chat,
 * a program waits for a file, and nobody for the fiftieth of many (docs/decisions/0051).
 */
export const TURN_PRIORITY = { chat: 600, process: 0, bulk: -600 } as const;

/** Calls, as usage names them, that begin many processings at once. */
export const BULK_ENDPOINTS = ["POST /process/batch"] as const;

/** Whether a call, as usage names it, begins processings for which nobody waits one by one. */
export function isBulk(endpoint: string): boolean {
  return BULK_ENDPOINTS.some((bulk) => bulk === endpoint);
}

/** The priority of a turn, by its session's kind and the call that began it. */
export function turnPriority(kind: SessionKind, endpoint: string): number {
  return isBulk(endpoint) ? TURN_PRIORITY.bulk : TURN_PRIORITY[kind];
}
