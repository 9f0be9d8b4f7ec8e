import type { AppError } from "@/lib/domain/errors";
import type { Exchange } from "@/lib/http/exchange";
import { log } from "@/lib/log";

/**
 * One line for each call: at `error` with its cause when we failed, at `warn` when what we lean on is away, else at
 * `debug`. The endpoint's pattern stands for the path, so that nothing a client wrote gets into the line.
 */
export function logExchange(exchange: Exchange, status: number, failure: AppError | undefined): void {
  log(
    status === 503 ? "warn" : status >= 500 ? "error" : "debug",
    `${exchange.endpoint} ${status}`,
    {
      requestId: exchange.requestId,
      endpoint: exchange.endpoint,
      status,
      code: failure?.code,
      durationMs: Math.round(performance.now() - exchange.startedAtMs),
      ip: exchange.clientIp,
      accountId: exchange.principal?.accountId,
      apiKeyId: exchange.principal?.apiKeyId,
    },
    failure?.cause,
  );
}
