import { z } from "zod";
import { ERROR_CODES, type ErrorCode } from "@/lib/domain/errors";

/** The error body (contract §2): `code`, `message`, `retryable` and `requestId` always, the rest where they apply. */
export const errorResponse = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]),
      message: z.string().meta({ description: "Names the field and says what to do." }),
      param: z.string().optional().meta({ description: "The field the error is about." }),
      details: z
        .array(z.object({ param: z.string(), message: z.string() }))
        .optional()
        .meta({ description: "Every wrong field." }),
      retryable: z.boolean().meta({ description: "Whether sending the same call again can help." }),
      docUrl: z.string().optional().meta({ format: "uri" }),
      requestId: z.string(),
    }),
  })
  .meta({ id: "Error" });

export type ErrorResponse = z.output<typeof errorResponse>;

/** When each code comes and what to do, for the documents. */
export const ERROR_MEANINGS: Record<ErrorCode, string> = {
  INVALID_JSON: "The body is not JSON, not an object, or did not arrive in time. Send one JSON object in UTF-8.",
  INVALID_MULTIPART: "The multipart body is malformed, a JSON-encoded field is not JSON, or text is not in UTF-8.",
  VALIDATION_FAILED: "A field is missing, of the wrong type or out of range; `details` names each.",
  TEMPLATE_VARIABLE_MISSING: "A placeholder has neither a passed value nor a default; `details` names each.",
  URL_NOT_HTTPS: "The webhook or callback URL is not HTTPS.",
  URL_NOT_ALLOWED:
    "The webhook or callback URL points to a private, loopback, link-local or reserved address, or cannot be a receiver's; the message says why.",
  MISSING_API_KEY: "No API key was sent. Send it as X-API-Key, or as Authorization: Bearer.",
  INVALID_API_KEY: "The API key is malformed, unknown, revoked or expired.",
  INSUFFICIENT_CREDITS: "No credits are left.",
  TOKEN_LIMIT_REACHED: "The plan's token limit for the period is reached.",
  END_USER_LIMIT_REACHED: "The end user has used what the project allows each of them in a month.",
  KEY_LIMIT_REACHED: "The API key has used what it may use in a month.",
  PROJECT_LIMIT_REACHED: "The project has used what it may use in a month.",
  ADDRESS_NOT_ALLOWED: "The key may not be used from the address that the call comes from; the message names it.",
  INSUFFICIENT_PERMISSION: "The key lacks the permission that the endpoint needs; the message names it.",
  B2B_NOT_VERIFIED: "The account is not verified yet (up to 48 hours), or no longer is.",
  API_DISABLED: "The project's API is switched off.",
  NOT_FOUND: "The id is unknown, or not the caller's.",
  METHOD_NOT_ALLOWED: "The path exists, the method does not; `Allow` lists those that do.",
  NOT_READY:
    "Of a download: an answer of the processing is still being made; with `retryable` false, it ended without any. Of a retry: the last call is under way; with `retryable` false, there is nothing to try again. Of a deletion: calls keep adding work.",
  IDEMPOTENCY_IN_PROGRESS: "A call with the same Idempotency-Key is still running.",
  FILE_TOO_LARGE: "A file is larger than 500 MB, or that of a template larger than 1 MB.",
  BODY_TOO_LARGE: "The JSON body is larger than 16 MB.",
  UNSUPPORTED_MEDIA_TYPE: "The request's Content-Type is not one that the endpoint takes.",
  RANGE_NOT_SATISFIABLE: "`Range` begins behind the file's end; `Content-Range` says its size.",
  IDEMPOTENCY_KEY_REUSED: "The Idempotency-Key was used with another body.",
  RATE_LIMITED: "Too many requests; wait as many seconds as `Retry-After` says.",
  INTERNAL_ERROR: "Something went wrong on our side. Send the call again, or quote the request id to support.",
  SERVICE_UNAVAILABLE:
    "The service cannot accept work right now; nothing was accepted. Try again after `Retry-After` seconds.",
};
