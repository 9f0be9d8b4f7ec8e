import { AppError } from "@/lib/domain/errors";

export const JSON_TYPE = "application/json";

/** The media type of a request in lower case, without parameters; empty when there is none. */
export function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/**
 * Refuses a body of another kind than the endpoint takes, and compressed bodies.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE
 */
export function requireMediaType(request: Request, accepted: readonly string[]): void {
  const given = mediaType(request);
  if (!accepted.includes(given)) {
    throw unsupported(
      `Send the body as ${accepted.join(" or ")}${given === "" ? "; the Content-Type header is missing" : ""}.`,
    );
  }
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") throw unsupported("Send the body without Content-Encoding.", "Content-Encoding");
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers.get("content-type") ?? "")?.[1];
  if (given === JSON_TYPE && charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw unsupported("Send JSON in UTF-8.");
  }
}

function unsupported(message: string, param = "Content-Type"): AppError {
  return new AppError("UNSUPPORTED_MEDIA_TYPE", message, { param });
}
