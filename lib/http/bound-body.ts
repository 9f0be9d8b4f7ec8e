import { AppError } from "@/lib/domain/errors";
import { toAppError } from "@/lib/http/error-response";
import { readBytes } from "@/lib/http/read-json-body";
import { refusal } from "@/lib/http/route";

/** What a package can take. */
interface BodyBounds {
  maxBytes: number;
  /** Whether the package parses it, and fails where it cannot. */
  isJson: boolean;
  /** Whether it may be called with nothing. Next hands on a call without a body as one whose body is empty. */
  mayBeEmpty?: boolean;
}

/**
 * The same request with its body read, for packages that read any body to its end before they look who sends it; or the
 * refusal of one that is too large, does not come, or is no JSON where the package takes it for that.
 */
export async function boundBody(request: Request, bounds: BodyBounds): Promise<Request | Response> {
  if (!request.body) return request;
  const { maxBytes, isJson, mayBeEmpty = false } = bounds;
  try {
    const body = await readBytes(request, { maxBytes });
    const isThere = body.byteLength > 0 || !mayBeEmpty;
    if (isJson && isThere) requireJson(body);
    return new Request(request.url, {
      method: request.method,
      headers: request.headers,
      ...(isThere && { body }),
    });
  } catch (error) {
    return refusal(toAppError(error));
  }
}

/** As `Request.json` reads it, any value. @throws AppError INVALID_JSON */
function requireJson(body: Uint8Array): void {
  try {
    JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new AppError("INVALID_JSON", "The body is not valid JSON.");
  }
}
