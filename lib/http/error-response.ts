import type { ErrorResponse } from "@/lib/contracts/errors";
import { AppError } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { jsonResponse } from "@/lib/http/respond";
import { AWAY_RETRY_AFTER_SECONDS, isServiceAway } from "@/lib/services/health/is-service-away";

/**
 * Any error as one that a client may see: what is not an `AppError` becomes a 503 when the database is away and a
 * neutral 500 otherwise, with the original as its cause for the logs.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isServiceAway(error)) {
    return new AppError(
      "SERVICE_UNAVAILABLE",
      "The service cannot take this call right now. Nothing was accepted; try again.",
      {
        cause: error,
        retryAfterSeconds: AWAY_RETRY_AFTER_SECONDS,
      },
    );
  }
  return new AppError(
    "INTERNAL_ERROR",
    "Something went wrong on our side. Try again; if it stays, send us the request id.",
    { cause: error },
  );
}

/** The response of an error, in the contract's shape (contract §2, errors). */
export function errorResponse(error: AppError, requestId: string): Response {
  const headers: Record<string, string> = { ...error.headers };
  if (error.retryAfterSeconds !== undefined)
    headers["Retry-After"] = String(Math.max(1, Math.ceil(error.retryAfterSeconds)));
  else if (error.status === 503) headers["Retry-After"] = String(AWAY_RETRY_AFTER_SECONDS);
  if (error.status === 401) headers["WWW-Authenticate"] = 'Bearer realm="api"';
  return jsonResponse(error.status, errorBody(error, requestId), headers);
}

function errorBody(error: AppError, requestId: string): ErrorResponse {
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(error.param === undefined ? {} : { param: error.param }),
      ...(error.details === undefined ? {} : { details: error.details }),
      retryable: error.isRetryable,
      docUrl: `${env().APP_URL}/docs/errors#${error.code}`,
      requestId,
    },
  };
}
