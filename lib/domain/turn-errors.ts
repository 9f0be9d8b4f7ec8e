/** Why a turn ended without an answer: codes of a session's `error` and of the `error` event (§6.1). */
export const TURN_ERROR_CODES = [
  // Whatever cannot be read, whether of an unknown kind or damaged (contract §4); the message says which.
  "UNSUPPORTED_FILE",
  "MODEL_RATE_LIMITED",
  "MODEL_UNAVAILABLE",
  "MODEL_TIMEOUT",
  "MODEL_REJECTED",
  "MODEL_NOT_CONFIGURED",
  "UNSUPPORTED_OUTPUT",
  // (beyond) Only of calls with an `outputSchema`.
  "OUTPUT_SCHEMA_NOT_MET",
  "MAX_CREDITS_REACHED",
  "INSUFFICIENT_CREDITS",
  "CANCELED",
  "INTERNAL_ERROR",
] as const;

export type TurnErrorCode = (typeof TURN_ERROR_CODES)[number];

export interface TurnErrorOptions {
  cause?: unknown;
  /** Whether trying the same step again can help. */
  isRetryable?: boolean;
  /** The least wait that the other side asked for. */
  retryAfterSeconds?: number;
}

/** A failure in the background whose code and message the client may see. */
export class TurnError extends Error {
  readonly isRetryable: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: TurnErrorCode,
    message: string,
    options: TurnErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "TurnError";
    this.isRetryable = options.isRetryable ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
