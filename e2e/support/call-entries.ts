import type { TestAccount } from "@/e2e/support/test-account";
import { newId } from "@/lib/domain/ids";
import type { CallLogEntry } from "@/lib/services/call-log/call-log-entry";

/** A call of an account as the log takes it, of now unless said otherwise. */
export function callEntryOf({ principal }: TestAccount, more: Partial<CallLogEntry> = {}): CallLogEntry {
  const { accountId, projectId, apiKeyId } = principal;
  return {
    id: newId("call"),
    accountId,
    projectId,
    apiKeyId,
    requestId: newId("request"),
    endpoint: "POST /chat",
    path: "/api/v1/chat",
    status: 202,
    errorCode: null,
    durationMs: 12,
    ip: "203.0.113.9",
    userAgent: 'curl/8 "quoted", {braced} \\ back',
    sessionId: null,
    endUserId: null,
    isStart: false,
    summary: { bodyBytes: 20, fields: { message: 5 } },
    receivedAtMs: performance.now(),
    ...more,
  };
}
