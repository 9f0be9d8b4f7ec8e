import type { CallSummary } from "@/lib/contracts/call-log";
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
  /** When the call came in, in milliseconds of this process's steady clock (`performance.now()`). */
  receivedAtMs: number;
}
