import type { ErrorCode } from "@/lib/domain/errors";

/** One answered call, on its way into the call log (§5.9). */
export interface CallLogEntry {
  id: string;
  accountId: string;
  projectId: string;
  apiKeyId: string;
  requestId: string;
  /** "POST /chat" */
  endpoint: string;
  path: string;
  status: number;
  errorCode: ErrorCode | null;
  /** Until the answer began. */
  durationMs: number;
  ip: string | null;
  userAgent: string | null;
  sessionId: string | null;
  endUserId: string | null;
  /** Whether the call started exactly one turn, that of its session and request. */
  isStart: boolean;
  summary: CallSummary;
  /** When the call came in. */
  createdAt: Date;
}

/** Names and sizes of a call; nothing of its content. */
export interface CallSummary {
  /** As the client announced it. */
  bodyBytes?: number;
  /** Fields of the body: characters of a text, entries of an object, else 1. */
  fields?: Record<string, number>;
  fileBytes?: number[];
  /** Query parameters that were there. */
  query?: string[];
  /** Fields that were refused. */
  invalid?: string[];
  /** Of a batch: the sessions it started. */
  sessionIds?: string[];
  /** The answer to an earlier call with the same idempotency key. */
  isReplay?: boolean;
}
