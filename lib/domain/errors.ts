/**
 * The errors a client can meet: one class, one table from code to status (contract §2).
 */

/** Every error code of the API, with its HTTP status and whether sending the same call again can help, as a rule. */
export const ERROR_CODES = {
  INVALID_JSON: { status: 400, retryable: false },
  INVALID_MULTIPART: { status: 400, retryable: false },
  VALIDATION_FAILED: { status: 400, retryable: false },
  TEMPLATE_VARIABLE_MISSING: { status: 400, retryable: false },
  URL_NOT_HTTPS: { status: 400, retryable: false },
  URL_NOT_ALLOWED: { status: 400, retryable: false },
  MISSING_API_KEY: { status: 401, retryable: false },
  INVALID_API_KEY: { status: 401, retryable: false },
  INSUFFICIENT_CREDITS: { status: 402, retryable: false },
  TOKEN_LIMIT_REACHED: { status: 402, retryable: false },
  END_USER_LIMIT_REACHED: { status: 402, retryable: false },
  KEY_LIMIT_REACHED: { status: 402, retryable: false },
  PROJECT_LIMIT_REACHED: { status: 402, retryable: false },
  ADDRESS_NOT_ALLOWED: { status: 403, retryable: false },
  INSUFFICIENT_PERMISSION: { status: 403, retryable: false },
  B2B_NOT_VERIFIED: { status: 403, retryable: false },
  API_DISABLED: { status: 403, retryable: false },
  NOT_FOUND: { status: 404, retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false },
  NOT_READY: { status: 409, retryable: true },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, retryable: true },
  FILE_TOO_LARGE: { status: 413, retryable: false },
  BODY_TOO_LARGE: { status: 413, retryable: false },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false },
  RANGE_NOT_SATISFIABLE: { status: 416, retryable: false },
  IDEMPOTENCY_KEY_REUSED: { status: 422, retryable: false },
  RATE_LIMITED: { status: 429, retryable: true },
  INTERNAL_ERROR: { status: 500, retryable: true },
  SERVICE_UNAVAILABLE: { status: 503, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** What is wrong with one field; `param` is its name as the client sent it. */
export interface ErrorDetail {
  param: string;
  message: string;
}

export interface AppErrorOptions {
  /** The field or parameter the error is about. */
  param?: string;
  details?: ErrorDetail[];
  /** Where sending the same call again helps otherwise than the code's rule says. */
  isRetryable?: boolean;
  /** For logs alone, never for the client. */
  cause?: unknown;
  /** For 429 and 503. */
  retryAfterSeconds?: number;
  /** Further response headers, e.g. `Allow`. */
  headers?: Record<string, string>;
}

/** What the errors of all copies of this module have. */
const BRAND = Symbol.for("service.AppError");

/** An error whose code and message the client may see. Everything else becomes a neutral 500. */
export class AppError extends Error {
  /**
   * Also one of another copy's: bundles have one each, and what a process has once (lib/process-singleton.ts), as the file store,
   * throws that of the bundle which made it.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a narrower error inherits this, and is asked for itself.
    return this === AppError ? hasBrand(value) : Function.prototype[Symbol.hasInstance].call(this, value);
  }

  readonly param: string | undefined;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Record<string, string>;
  /** Whether sending the same call again can help. */
  readonly isRetryable: boolean;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.param = options.param;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
    this.isRetryable = options.isRetryable ?? ERROR_CODES[code].retryable;
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  get [BRAND](): true {
    return true;
  }
}

function hasBrand(value: unknown): boolean {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** The same words for what does not exist and for what is not the caller's (contract §2). */
export function notFound(what: string, options: Pick<AppErrorOptions, "param"> = {}): AppError {
  return new AppError("NOT_FOUND", `${what} was not found.`, options);
}

/** A single wrong field. */
export function invalidField(param: string, message: string): AppError {
  return new AppError("VALIDATION_FAILED", `${param} ${message}.`, { param, details: [{ param, message }] });
}
