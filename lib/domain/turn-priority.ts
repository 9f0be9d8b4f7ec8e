import type { SessionKind } from "@/lib/domain/session-status";

/**
 * How far ahead of others of its account a turn is, in seconds, as the queue words it: somebody waits for the next words of a chat,
 * a program waits for a file, and nobody for the fiftieth of many (docs/decisions/0051).
 * None is below 0: Inngest's own server would hold such work back for so long, also where nothing else waits.
 */
export const TURN_PRIORITY = { chat: 600, process: 300, bulk: 0 } as const;

/** Calls, as usage names them, that begin many processings at once. */
export const BULK_ENDPOINTS = ["POST /process/batch"] as const;

/** Calls that go on with a session as a conversation, whatever it began with: who asks on about a document waits as in a chat. */
export const CONVERSATION_ENDPOINTS = ["POST /chat", "POST /b2b/send"] as const;

/** Whether a call, as usage names it, begins processings for which nobody waits one by one. */
export function isBulk(endpoint: string): boolean {
  return BULK_ENDPOINTS.some((bulk) => bulk === endpoint);
}

/** The priority of a turn, by its session's kind, the call that began it, and whether that went on with the session. */
export function turnPriority(kind: SessionKind, endpoint: string, isNext: boolean): number {
  if (isBulk(endpoint)) return TURN_PRIORITY.bulk;
  return isNext && CONVERSATION_ENDPOINTS.some((one) => one === endpoint) ? TURN_PRIORITY.chat : TURN_PRIORITY[kind];
}

/** Whether a turn is a processing, whose words nobody follows as they come, whatever call began it or tries it again; as `turnPriority`. */
export function isProcessing(kind: SessionKind, endpoint: string, isNext: boolean): boolean {
  return turnPriority(kind, endpoint, isNext) < TURN_PRIORITY.chat;
}
