import { errors } from "undici";

/** Why nothing came back from a receiver, or not all of it, in the service's own words: nothing of the network inside leaks. */
const MESSAGES = {
  URL_NOT_HTTPS: "The address does not begin with https://.",
  URL_NOT_ALLOWED: "The address is not one that deliveries may go to.",
  ADDRESS_NOT_ALLOWED: "The host's name resolves to a private, loopback, link-local or reserved address.",
  NAME_NOT_RESOLVED: "The host's name could not be resolved.",
  CONNECTION_FAILED: "The host could not be connected to.",
  CONNECTION_LOST: "The connection broke before the response was complete.",
  TLS_FAILED: "No trusted TLS connection came about",
  INVALID_RESPONSE: "The response was not valid HTTP.",
  TIMEOUT: "The response was not complete in time.",
} as const;

const UNKNOWN_AUTHORITY =
  "its certificate leads to no authority that is known, or it leaves out the certificates in between, which browsers fetch by themselves";
const SELF_SIGNED = "its certificate is signed by no public authority";
const OLD_TLS = "it speaks no TLS 1.2 or newer";
const WANTS_CERTIFICATE = "it wants a certificate of its caller, and deliveries have none";
const NO_TLS = "it does not speak TLS at this port";

/** Codes of the TLS library as whoever runs the receiver has to read them. */
const TLS_REASONS: Record<string, string> = {
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: SELF_SIGNED,
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: OLD_TLS,
  ERR_SSL_UNSUPPORTED_PROTOCOL: OLD_TLS,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: WANTS_CERTIFICATE,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
};

export type EgressErrorCode = keyof typeof MESSAGES;

/** What the log of attempts shows. */
export interface EgressError {
  code: EgressErrorCode;
  message: string;
}

/** A failure whose reason is known where it is thrown. `reason` is a code of the TLS library, e.g. CERT_HAS_EXPIRED. */
export class EgressFailure extends Error {
  constructor(
    readonly code: EgressErrorCode,
    { reason, cause }: { reason?: string; cause?: unknown } = {},
  ) {
    super(reason === undefined ? MESSAGES[code] : `${MESSAGES[code]}${inWords(reason)} (${reason}).`, { cause });
    this.name = "EgressFailure";
  }
}

function inWords(reason: string): string {
  const words = TLS_REASONS[reason];
  return words === undefined ? "" : `: ${words}`;
}

/** Names the failure behind whatever the HTTP client threw. */
export function describeFailure(error: unknown): EgressError {
  const { code, message } = error instanceof EgressFailure ? error : failureOfHttp(error);
  return { code, message };
}

/** What a receiver has against the connection it may say when that was made. */
function failureOfHttp(error: unknown): EgressFailure {
  const reason = errorCode(error);
  if (reason?.startsWith("ERR_SSL_")) return new EgressFailure("TLS_FAILED", { reason, cause: error });
  return new EgressFailure(codeOfHttpError(error));
}

/** The last is of two lengths, or of one beside chunks: the receiver's framework or proxy is at fault, and not the network. */
const INVALID = [errors.HTTPParserError, errors.HeadersOverflowError, errors.ResponseContentLengthMismatchError];

function codeOfHttpError(error: unknown): EgressErrorCode {
  return INVALID.some((kind) => error instanceof kind) ? "INVALID_RESPONSE" : "CONNECTION_LOST";
}

/** The `code` of a system or library error. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
