import type { EndpointDefinition, HeaderDefinition, ResponseDefinition } from "@/lib/contracts/endpoint-definition";
import { ERROR_CODES, type ErrorCode } from "@/lib/domain/errors";

/** What follows from a definition without being written in it: errors, headers, content types. */

const KEY_ERRORS: ErrorCode[] = [
  "MISSING_API_KEY",
  "INVALID_API_KEY",
  "ADDRESS_NOT_ALLOWED",
  "B2B_NOT_VERIFIED",
  "API_DISABLED",
  "RATE_LIMITED",
  "SERVICE_UNAVAILABLE",
];

const IDEMPOTENCY_ERRORS: ErrorCode[] = ["IDEMPOTENCY_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"];

/** Every code that an endpoint can answer, each once, by status. */
export function errorCodesOf(definition: EndpointDefinition): ErrorCode[] {
  const { auth, permission, params, query, body, errors } = definition;
  const codes = new Set<ErrorCode>(["INTERNAL_ERROR", ...errors]);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (auth === "key") add(...KEY_ERRORS);
  if (definition.isIdempotent) add(...IDEMPOTENCY_ERRORS);
  if (permission !== null) add("INSUFFICIENT_PERMISSION");
  if (params) add("NOT_FOUND");
  if (query || body || definition.isIdempotent) add("VALIDATION_FAILED");
  if (body) add("UNSUPPORTED_MEDIA_TYPE");
  if (body && body.kind !== "multipart") add("INVALID_JSON", "BODY_TOO_LARGE");
  if (body && body.kind !== "json") add("INVALID_MULTIPART", "FILE_TOO_LARGE");
  return [...codes].sort((a, b) => ERROR_CODES[a].status - ERROR_CODES[b].status);
}

/** The same, put together by status. */
export function errorsByStatus(definition: EndpointDefinition): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(definition)) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** The success answers, the usual one first. */
export function successResponsesOf(definition: EndpointDefinition): readonly ResponseDefinition[] {
  return [definition.response, ...(definition.otherResponses ?? [])];
}

/** Media types of the request's body, the usual one first. */
export function requestContentTypesOf({ body }: EndpointDefinition): string[] {
  if (!body) return [];
  return { json: [JSON_TYPE], multipart: [FORM_TYPE], "json-or-multipart": [FORM_TYPE, JSON_TYPE] }[body.kind];
}

/** Headers that the endpoint takes beside the key, those included that follow from what it does. */
export function requestHeadersOf({ requestHeaders = [], isIdempotent }: EndpointDefinition): HeaderDefinition[] {
  return [...requestHeaders, ...(isIdempotent ? [IDEMPOTENCY_KEY_HEADER] : [])];
}

/** Headers that answers of the endpoint with that status carry. */
export function responseHeadersOf(definition: EndpointDefinition, status: number): HeaderDefinition[] {
  const hasRateLimit = definition.auth === "key" && status !== 401 && status < 500;
  return [
    REQUEST_ID_HEADER,
    ...(hasRateLimit ? RATE_LIMIT_HEADERS : []),
    ...(status === 429 || status === 503 ? [RETRY_AFTER_HEADER] : []),
    ...(status === 409 && definition.isIdempotent ? [retryAfterConflict(definition)] : []),
    ...(status === 401 ? [AUTHENTICATE_HEADER] : []),
    ...(status === RANGE_STATUS ? [FILE_SIZE_HEADER, ACCEPT_RANGES_HEADER, ETAG_HEADER] : []),
    ...(status === definition.response.status && definition.isIdempotent ? [REPLAYED_HEADER] : []),
  ];
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "multipart/form-data";

const REQUEST_ID_HEADER: HeaderDefinition = {
  name: "X-Request-Id",
  description: "The call's id; quote it to support, find it in the panel's Logs.",
};
const RATE_LIMIT_HEADERS: HeaderDefinition[] = [
  { name: "RateLimit-Limit", type: "integer", description: "Requests per minute that the key may make." },
  { name: "RateLimit-Remaining", type: "integer", description: "Requests that it may make right now." },
  { name: "RateLimit-Reset", type: "integer", description: "Seconds until the full limit is there again." },
];
const RANGE_STATUS = ERROR_CODES.RANGE_NOT_SATISFIABLE.status;
const FILE_SIZE_HEADER: HeaderDefinition = {
  name: "Content-Range",
  description: "The file's size: `bytes */2048`.",
};
/** Of stored files, in whatever way they are answered. */
export const ACCEPT_RANGES_HEADER: HeaderDefinition = { name: "Accept-Ranges", description: "`bytes`." };
export const ETAG_HEADER: HeaderDefinition = {
  name: "ETag",
  description: "Stands for these bytes: for `If-None-Match` and `If-Range`.",
};
const AUTHENTICATE_HEADER: HeaderDefinition = {
  name: "WWW-Authenticate",
  description: '`Bearer realm="api"`: the scheme of `Authorization` that takes the key.',
};
const RETRY_AFTER_HEADER: HeaderDefinition = {
  name: "Retry-After",
  type: "integer",
  description: "Seconds to wait before the next try.",
};
/** A call that waits for the first with its key knows how long; one that waits for a session does not. */
function retryAfterConflict({ errors }: EndpointDefinition): HeaderDefinition {
  if (!errors.includes("NOT_READY")) return RETRY_AFTER_HEADER;
  return { ...RETRY_AFTER_HEADER, description: "Of `IDEMPOTENCY_IN_PROGRESS`: seconds to wait.", isRequired: false };
}

const IDEMPOTENCY_KEY_HEADER: HeaderDefinition = {
  name: "Idempotency-Key",
  description:
    "1 to 255 printable ASCII characters. Within 24 h the same call with the same key is answered the same and starts nothing twice.",
  example: "order-4711",
};
const REPLAYED_HEADER: HeaderDefinition = {
  name: "Idempotent-Replayed",
  description: "`true` on the repeated answer to an earlier call with the same Idempotency-Key; else absent.",
  isRequired: false,
};

/** All headers that answers can carry, for the documents' shared part. */
export const RESPONSE_HEADERS: readonly HeaderDefinition[] = [
  REQUEST_ID_HEADER,
  ...RATE_LIMIT_HEADERS,
  AUTHENTICATE_HEADER,
  RETRY_AFTER_HEADER,
  REPLAYED_HEADER,
];
