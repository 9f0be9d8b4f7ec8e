import { endpointName, endpointPath } from "@/lib/contracts/endpoint-definition";
import type { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import type { Exchange } from "@/lib/http/exchange";
import { pathOf, sessionOf, summarize, userAgentOf } from "@/lib/http/summarize-call";
import { type LogLevel, log } from "@/lib/log";
import { observeCall } from "@/lib/metrics";
import { callLog } from "@/lib/services/call-log/call-log-buffer";

/**
 * Notes an answered call: in the metrics, in one line of the process log, and in one row in the call log of the account whose key was sent
 * (§5.9). A call without a known key belongs to nobody: it has the line alone. An answer that goes on (a stream, a
 * download) is noted when it begins. Must not throw: the call has been served.
 */
export function logExchange(exchange: Exchange, response: Response, failure: AppError | undefined): void {
  const { status } = response;
  const elapsedMs = performance.now() - exchange.startedAtMs;
  const durationMs = Math.round(elapsedMs);
  observeCall(exchange.definition.method, endpointPath(exchange.definition), status, elapsedMs / 1_000);
  logLine(exchange, status, failure, durationMs);
  const { caller, definition, requestId, clientIp } = exchange;
  if (!caller) return;
  const { accountId, projectId, apiKeyId } = caller;
  const session = sessionOf(exchange);
  const isStart = status === 202 && session.startedIds.length === 1;
  callLog().add({
    id: newId("call"),
    accountId,
    projectId,
    apiKeyId,
    requestId,
    endpoint: endpointName(definition),
    path: pathOf(exchange),
    status,
    errorCode: failure?.code ?? null,
    durationMs,
    ip: clientIp,
    userAgent: userAgentOf(exchange.request.headers),
    sessionId: session.id,
    endUserId: session.endUserId,
    isStart,
    summary: summarize(exchange, response, failure, session.startedIds),
    receivedAtMs: exchange.startedAtMs,
  });
}

/** Our failures, what we lean on being away, what the client did wrong, and what went well. */
function levelOf(status: number): LogLevel {
  if (status === 503) return "warn";
  if (status >= 500) return "error";
  return status >= 400 ? "info" : "debug";
}

/**
 * With the cause when we failed. The endpoint's
 * pattern stands for the path, so that nothing a client wrote gets into the line.
 */
function logLine(exchange: Exchange, status: number, failure: AppError | undefined, durationMs: number): void {
  const endpoint = endpointName(exchange.definition);
  log(
    levelOf(status),
    `${endpoint} ${status}`,
    {
      requestId: exchange.requestId,
      endpoint,
      status,
      code: failure?.code,
      durationMs,
      ip: exchange.clientIp,
      accountId: exchange.caller?.accountId,
      apiKeyId: exchange.caller?.apiKeyId,
    },
    failure?.cause,
  );
}
