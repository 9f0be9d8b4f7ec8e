import type { ErrorCode } from "@/lib/domain/errors";
import type { TurnErrorCode } from "@/lib/domain/turn-errors";

export interface ErrorWords {
  meaning: string;
  /** What the reader does about it. */
  remedy: string;
}

/** The errors that a call is answered with. */
export const ERROR_WORDS = {
  INVALID_JSON: {
    meaning: "The body is not JSON, not a JSON object, or stopped arriving: 60 s without a byte, or 2 minutes in all.",
    remedy:
      'Send one object, for example `{"message": "Hello"}`, with `Content-Type: application/json`. What stopped arriving has `retryable` true: send it again.',
  },
  INVALID_MULTIPART: {
    meaning:
      "The multipart body is broken off or malformed, a field that carries JSON does not, or text is not in UTF-8.",
    remedy:
      "Let your HTTP library build the form and its boundary. Encode `templateVars` as a JSON string. What stopped arriving has `retryable` true: send it again.",
  },
  VALIDATION_FAILED: {
    meaning:
      "A field, a query parameter or a header is missing, of the wrong type or out of range, or a field of the body is unknown.",
    remedy: "`details` names each one with what it must be. Correct them and send the call again.",
  },
  TEMPLATE_VARIABLE_MISSING: {
    meaning: "The template has a placeholder with neither a value in `templateVars` nor a default.",
    remedy: "`details` names each. Pass them in `templateVars`, or give them a default in the template.",
  },
  URL_NOT_HTTPS: {
    meaning: "A webhook or callback address begins with something other than `https://`.",
    remedy:
      "Serve the receiver over HTTPS. For local work, an operator can have a certificate of your own trusted by `OUTBOUND_EXTRA_CA_FILE`.",
  },
  URL_NOT_ALLOWED: {
    meaning: "The address leads to a private, loopback, link-local or reserved network.",
    remedy:
      "Use an address that is reachable from the internet. For local work, an operator can list the host in `OUTBOUND_ALLOWED_HOSTS`.",
  },
  MISSING_API_KEY: {
    meaning: "The call carries no API key.",
    remedy: "Send it as `X-API-Key: <key>` or as `Authorization: Bearer <key>`.",
  },
  INVALID_API_KEY: {
    meaning: "The key is malformed, unknown, revoked or expired.",
    remedy:
      "Compare it with the panel, API Keys: it begins with `bld_` and has 32 more characters. Create a new one if it is gone.",
  },
  INSUFFICIENT_CREDITS: {
    meaning: "The credits that are left do not cover the call. Running calls hold a reserve until they end.",
    remedy:
      "Wait for running calls to end, or ask for more in the panel, under Settings, Plan and credits. `GET /account` shows balance and reserve.",
  },
  TOKEN_LIMIT_REACHED: {
    meaning: "The plan's tokens for this calendar month (UTC) are used up.",
    remedy: "Wait for `periodEnd` of `GET /account`, or move to a larger plan.",
  },
  END_USER_LIMIT_REACHED: {
    meaning: "The end user has used the credits that the project allows each of them in a calendar month (UTC).",
    remedy:
      "Tell them, or wait for their running calls or the next month. Owners and admins set the limit in the panel, Settings, Project.",
  },
  KEY_LIMIT_REACHED: {
    meaning: "The API key has used the credits that it may use in a calendar month (UTC).",
    remedy:
      "Wait for its running calls or the next month. Owners and admins set the limit of a key in the panel, API Keys; other keys of the project are not touched by it.",
  },
  PROJECT_LIMIT_REACHED: {
    meaning: "The project has used the credits that it may use in a calendar month (UTC).",
    remedy:
      "Wait for its running calls or the next month. Owners and admins set the limit in the panel, Settings, Project; the account's other projects are not touched by it.",
  },
  ADDRESS_NOT_ALLOWED: {
    meaning: "The key is good, but it may be used from certain addresses only, and the call comes from another one.",
    remedy:
      "Call from one of those, or have an owner or admin add the address that the message names: in the panel, API Keys, Limit. When it is your proxy's, tell whoever runs the service.",
  },
  INSUFFICIENT_PERMISSION: {
    meaning: "The key is good, but it may not use this endpoint. The message names the permission it lacks.",
    remedy: "Create a key with that permission in the panel; permissions are fixed when a key is made.",
  },
  B2B_NOT_VERIFIED: {
    meaning: "The company behind the account is not verified, or no longer is.",
    remedy:
      "Submit the company data in the panel, Verification; a decision takes up to 48 hours. Of a suspended account the reason stands there.",
  },
  API_DISABLED: {
    meaning: "The project has its API switched off.",
    remedy: "Switch it on in the panel, Settings, Project.",
  },
  NOT_FOUND: {
    meaning: "There is no such path or id, or it belongs to somebody else. Both get the same answer.",
    remedy:
      "Check the id, the project of the key, and the `endUserId`: a session of one end user does not exist for another.",
  },
  METHOD_NOT_ALLOWED: {
    meaning: "The path exists, but not with this method.",
    remedy: "The `Allow` header lists the methods it takes.",
  },
  NOT_READY: {
    meaning:
      "No answer of the processing is there to download: one is being made, or there never was one, as `retryable` says. Of a retry: the last call of the session is under way, or did not fail. Of a deletion: calls keep adding work to the session.",
    remedy:
      "With `retryable` true, ask `GET /process/:id` until its status is neither `started` nor `resumed`, or wait for the callback. Otherwise look at its `error`, and have it tried again by `POST /process/:id/retry`. What was answered is not tried again: send a call of its own. Before you delete a session, stop the calls to it.",
  },
  IDEMPOTENCY_IN_PROGRESS: {
    meaning: "A call with the same `Idempotency-Key` is still running.",
    remedy: "Send it again in a moment: you get the answer of the first.",
  },
  FILE_TOO_LARGE: {
    meaning: "A file is over 500 MB (524,288,000 bytes), or that of a template over 1 MB.",
    remedy: "Split or compress it. Nothing was stored.",
  },
  BODY_TOO_LARGE: {
    meaning: "The JSON body is over 16 MB.",
    remedy: "Send long texts as a file to `POST /process`.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: "The endpoint does not take this `Content-Type`.",
    remedy: "Use `application/json`, or `multipart/form-data` where a file is sent.",
  },
  RANGE_NOT_SATISFIABLE: {
    meaning: "The `Range` of a download begins behind the file's end.",
    remedy:
      "`Content-Range` says the size, as in `bytes */2048`. If you have as many bytes, the download was complete; else start anew without `Range`.",
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: "The same `Idempotency-Key` came with a different body within 24 hours.",
    remedy: "Use a new key for each new piece of work, and the same key only to repeat a call unchanged.",
  },
  RATE_LIMITED: {
    meaning:
      "The key made more calls in a minute than its plan allows, or has too many streams open, or its project too many direct uploads that were not used.",
    remedy: "Wait `Retry-After` seconds. Streams and callbacks need fewer calls than polling. Use or end what is open.",
  },
  INTERNAL_ERROR: {
    meaning: "Something broke on our side.",
    remedy: "Send the call again with the same `Idempotency-Key`. If it stays, tell us the `requestId`.",
  },
  SERVICE_UNAVAILABLE: {
    meaning: "The database or the queue is away, or storage is full. Nothing was accepted.",
    remedy:
      "Send the call again after `Retry-After` seconds, with its `Idempotency-Key`: where the connection to the database broke at that very moment the call may have been accepted, and the key keeps it from being done twice.",
  },
} as const satisfies Record<ErrorCode, ErrorWords>;

/** The errors that accepted work ends with: `error.code` of a session and `errorCode` of the `error` event. */
export const TURN_ERROR_WORDS = {
  UNSUPPORTED_FILE: {
    meaning:
      "The file cannot be read: its content is of a kind or size that is not read, it is damaged, empty, too complex, locked with a password, or without speech, or the project's model takes no pictures. The message says which; the file's name does not matter.",
    remedy:
      "Send text (also CSV, JSON, HTML, XML, source code), PDF, DOCX, DOC, RTF, XLSX, XLS, PPTX, PPT, ODT, ODS, ODP, EPUB, a picture (PNG, JPEG, WebP, GIF, HEIC, AVIF, BMP, TIFF), sound, or a video with sound (MP3, WAV, M4A, AAC, OGG, FLAC, WebM, MP4, MOV, MKV; up to 12 hours). A signed file (P7M) is read as what was signed. One that is damaged or locked: open it yourself, save it anew without a password, and send it again.",
  },
  MODEL_RATE_LIMITED: {
    meaning:
      "The model's provider refused for too many requests, also after several tries: of a chat within some half a minute, of files and of what a webhook tells within half an hour. Files that wait for their turn behind others wait for as long as any get through.",
    remedy: "Send the message again later.",
  },
  MODEL_UNAVAILABLE: {
    meaning: "The model's provider failed or broke off, also after several tries.",
    remedy: "Send the message again later.",
  },
  MODEL_TIMEOUT: {
    meaning: "The model took too long.",
    remedy: "Send the message again, or ask for less at once.",
  },
  MODEL_REJECTED: {
    meaning:
      "The model's provider refused the input, for its content or its size, or the instruction leaves the model no room to read the text.",
    remedy: "Change the message or the file; the same input will be refused again.",
  },
  MODEL_NOT_CONFIGURED: {
    meaning: "The server has no model, or its provider does not know the project's model or refuses the credentials.",
    remedy:
      "Set another model for the project, or have the operator look at `OPENAI_API_KEY`, `OPENAI_BASE_URL` and `DEFAULT_MODEL`.",
  },
  UNSUPPORTED_OUTPUT: {
    meaning: "The instruction asks for a picture, speech or a video, and the model's provider does not make that.",
    remedy: "Ask for text, or have the operator name a model that makes it.",
  },
  OUTPUT_SCHEMA_NOT_MET: {
    meaning: "The model gave no JSON that fits the call's `outputSchema`, or not the whole of it.",
    remedy:
      "Make the schema simpler, describe its fields, ask for less at once, or let what may be missing be null. The message says what did not fit.",
  },
  MAX_CREDITS_REACHED: {
    meaning: "The turn would have cost more than the call's `maxCredits`, or than its project lets each call cost.",
    remedy: "Allow more, or ask for less. Owners and admins set the project's limit in the panel, Settings, Project.",
  },
  INSUFFICIENT_CREDITS: {
    meaning:
      "The input, the reading of a long text, or the picture, speech or video that the instruction asks for costs more than the account has left.",
    remedy: "Ask for more credits in the panel, or send and ask for less: a shorter text, a shorter video.",
  },
  CANCELED: {
    meaning:
      "The turn was stopped by a call to cancel it. The stream alone has this code: the record has status `canceled` and no `error`, and no webhook and no callback is sent.",
    remedy: "Send the message again if you want it after all.",
  },
  INTERNAL_ERROR: {
    meaning: "Something broke on our side.",
    remedy: "Send the message again. If it stays, tell us the session id.",
  },
} as const satisfies Record<TurnErrorCode, ErrorWords>;
