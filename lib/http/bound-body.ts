import { toAppError } from "@/lib/http/error-response";
import { readBytes } from "@/lib/http/read-json-body";
import { refusal } from "@/lib/http/route";

/**
 * The same request with its body read, for packages that read any body to its end before they look who sends it; or the
 * refusal of one that is too large or does not come.
 */
export async function boundBody(request: Request, maxBytes: number): Promise<Request | Response> {
  if (!request.body) return request;
  try {
    const body = await readBytes(request, { maxBytes });
    return new Request(request.url, { method: request.method, headers: request.headers, body });
  } catch (error) {
    return refusal(toAppError(error));
  }
}
