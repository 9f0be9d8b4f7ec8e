import { APIError } from "openai";
import {
  arePicturesRefused,
  isAddressWrong,
  isKeyRefused,
  isModelUnknown,
  isQuotaUsedUp,
  isTooLong,
  statusOf,
} from "@/lib/ai/provider-words";
import { TurnError, type TurnErrorCode, type TurnErrorOptions } from "@/lib/domain/turn-errors";

/**
 * What a failed call to the model means for the turn. The provider's own words go into `cause`, for the logs alone:
 * clients get ours.
 */
export function explainModelError(error: unknown): TurnError {
  if (error instanceof TurnError) return error;
  if (!(error instanceof APIError)) return modelError("MODEL_UNAVAILABLE", { cause: error, isRetryable: true });
  if (isQuotaUsedUp(error)) return modelError("MODEL_UNAVAILABLE", { cause: error });
  const status = statusOf(error);
  if (isKeyRefused(error)) return modelError("MODEL_NOT_CONFIGURED", { cause: error });
  if (arePicturesRefused(error)) return new TurnError("UNSUPPORTED_FILE", NO_PICTURES_MESSAGE, { cause: error });
  if (isModelUnknown(error)) return modelError("MODEL_NOT_CONFIGURED", { cause: error }, UNKNOWN_MODEL_MESSAGE);
  if (isAddressWrong(error)) return modelError("MODEL_NOT_CONFIGURED", { cause: error }, WRONG_ADDRESS_MESSAGE);
  if (isTooLong(error)) return modelError("MODEL_REJECTED", { cause: error }, TOO_LONG_MESSAGE);
  if (status === 429) {
    const retryAfterSeconds = readRetryAfter(error.headers);
    return modelError("MODEL_RATE_LIMITED", { cause: error, isRetryable: true, retryAfterSeconds });
  }
  if (status >= 500 || TRANSIENT_STATUSES.has(status)) {
    const retryAfterSeconds = readRetryAfter(error.headers);
    return modelError("MODEL_UNAVAILABLE", { cause: error, isRetryable: true, retryAfterSeconds });
  }
  if (UNREADABLE_IMAGE_CODES.has(error.code)) {
    return new TurnError("UNSUPPORTED_FILE", UNREADABLE_IMAGE_MESSAGE, { cause: error });
  }
  return modelError("MODEL_REJECTED", { cause: error });
}

/** A TurnError of the model with our words for its code. */
export function modelError(code: ModelErrorCode, options: TurnErrorOptions, message = MESSAGES[code]): TurnError {
  return new TurnError(code, message, options);
}

/**
 * Seconds to wait as a `Retry-After` (seconds or date) or `retry-after-ms` header says.
 * @param now milliseconds, for dates
 */
export function readRetryAfter(headers: Pick<Headers, "get"> | undefined, now = Date.now()): number | undefined {
  const inMilliseconds = Number(headers?.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(inMilliseconds)) return limitWait(inMilliseconds / 1000);
  const value = headers?.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return limitWait(Number(value));
  // A date begins with its weekday; Date.parse alone would make one of "-3".
  const seconds = /^[A-Za-z]{3}/.test(value) ? (Date.parse(value) - now) / 1000 : Number.NaN;
  return Number.isFinite(seconds) ? limitWait(seconds) : undefined;
}

type ModelErrorCode = Extract<TurnErrorCode, `MODEL_${string}`>;

const MESSAGES: Record<ModelErrorCode, string> = {
  MODEL_RATE_LIMITED: "The AI model has too many requests at the moment. Try again later.",
  MODEL_UNAVAILABLE: "The AI model could not be reached or broke off its answer. Try again later.",
  MODEL_TIMEOUT: "The AI model did not answer in time. Try again later.",
  MODEL_REJECTED: "The AI model refused this request. Change the input or the project's model and try again.",
  MODEL_NOT_CONFIGURED: "The AI model does not accept this service's credentials. The operator has to set them right.",
};

const UNKNOWN_MODEL_MESSAGE =
  "The AI model server does not know this model. Set another one for the project, or have the operator provide it.";

/** Nothing of a model's server is at the address of the settings. */
export const WRONG_ADDRESS_MESSAGE =
  "The AI model server does not answer at the address that is set for it. The operator has to set it right.";

/** What the provider says of a picture that it cannot read. What it does not want to see is no fault of the file. */
const UNREADABLE_IMAGE_CODES = new Set<unknown>([
  "empty_image_file",
  "image_file_too_large",
  "image_parse_error",
  "image_too_large",
  "image_too_small",
  "invalid_base64_image",
  "invalid_image",
  "invalid_image_format",
  "invalid_image_mode",
  "unsupported_image_media_type",
]);

const UNREADABLE_IMAGE_MESSAGE =
  "The AI model could not read a picture that goes with the request: it is damaged, or of a kind that it does not take.";

const NO_PICTURES_MESSAGE =
  "A picture goes with the request, and the project's model takes none. Send text, or set another model for the project.";

const TOO_LONG_MESSAGE = "The input is longer than the AI model can read. Send less text and try again.";

/** Request time-out, conflict, too early: all say "again". */
const TRANSIENT_STATUSES = new Set([408, 409, 425]);

const MAX_RETRY_AFTER_SECONDS = 3600;

function limitWait(seconds: number): number {
  return Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}
