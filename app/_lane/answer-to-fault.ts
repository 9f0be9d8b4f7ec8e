import { AppError } from "@/lib/domain/errors";
import { textOf } from "@/lib/http/respond";
import { refusal } from "@/lib/http/route";

/** An answer as scripts/serve.ts writes it out. */
export interface TransportAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const PAGE_METHODS = "GET, HEAD, POST, OPTIONS";

/**
 * The answer to what is no call yet, for node's parser refuses it: as to any error (contract §2).
 * @param fault node's code of it; NO_HOST for a call without a `Host`, which RFC 9112 §3.2 has every server refuse; TRACE for
 * that method where Next would answer: it fails at making a request of it
 */
export function answerToFault(fault: string | undefined): TransportAnswer {
  const response = refusal(errorOf(fault));
  const isLate = fault === "ERR_HTTP_REQUEST_TIMEOUT";
  return {
    // What browsers and proxies know to mean the connection alone: they send the call again over another one.
    status: isLate ? 408 : response.status,
    headers: Object.fromEntries(response.headers),
    body: textOf(response) ?? "",
  };
}

function errorOf(fault: string | undefined): AppError {
  switch (fault) {
    case "HPE_HEADER_OVERFLOW":
      return new AppError("VALIDATION_FAILED", "The request's address and headers are more than 16 KB. Send less.");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new AppError("BODY_TOO_LARGE", "The chunks of the body have too long extensions. Send it without them.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new AppError("VALIDATION_FAILED", "The request did not arrive in time. Send it again.", {
        isRetryable: true,
      });
    case "TRACE":
      return new AppError("METHOD_NOT_ALLOWED", "This path does not take TRACE.", { headers: { Allow: PAGE_METHODS } });
    case "NO_HOST":
      return new AppError("VALIDATION_FAILED", "The request has no Host header. Let your HTTP library set it.");
    default:
      return new AppError("VALIDATION_FAILED", "The request is not well-formed HTTP. Let an HTTP library make it.");
  }
}
