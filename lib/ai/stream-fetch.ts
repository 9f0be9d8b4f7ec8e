import { Readable } from "node:stream";
import { type Dispatcher, fetch, request } from "undici";
import { toErrorResponse } from "@/lib/ai/error-body";

/** What the provider's client reads of a response, with the bytes as node has them: web streams cost a call more than all else. */
export interface StreamedResponse {
  ok: true;
  status: number;
  headers: Headers;
  body: Readable;
}

interface StringRequest {
  method?: string;
  headers?: Iterable<[string, string]>;
  body?: string;
  signal?: AbortSignal;
}

/**
 * `fetch` for answers that are streamed, which is nearly every call of a model: its response is a `StreamedResponse` when it
 * is a good one, and a whole `Response` otherwise. Asks for no compression, which would hold small pieces back.
 */
export function streamFetch(dispatcher: Dispatcher) {
  return async (url: unknown, init: unknown): Promise<Response> => {
    const { method = "POST", headers = [], body = null, signal } = init as StringRequest;
    const answer = await request(url as string, { dispatcher, method, headers, body, ...(signal && { signal }) });
    // Whoever reads it learns of a break; one that nobody reads any more must not end the process.
    answer.body.on("error", () => {});
    const { statusCode: status } = answer;
    if (status >= 300 && status < 400) {
      // Only a server's old address answers so: nothing was done there yet.
      await answer.body.dump();
      return plainFetch(dispatcher)(url, init);
    }
    const received = toHeaders(answer.headers);
    if (status >= 200 && status < 300) {
      return {
        ok: true,
        status,
        headers: received,
        body: answer.body,
      } satisfies StreamedResponse as unknown as Response;
    }
    return toErrorResponse(status, received, answer.body);
  };
}

/** `fetch` for all else that a provider is asked. */
export function plainFetch(dispatcher: Dispatcher) {
  return async (url: unknown, init: unknown): Promise<Response> => {
    const response = (await fetch(url as string, { ...(init as object), dispatcher })) as unknown as Response;
    return response.ok ? response : toErrorResponse(response.status, new Headers(response.headers), response.body);
  };
}

/** The bytes of a response of `streamFetch`, or of `fetch` where the call was sent elsewhere. */
export function bodyOf({ body }: Response): Readable | null {
  if (body === null) return null;
  return body instanceof Readable ? body : Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
}

function toHeaders(given: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const each of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, each);
  }
  return headers;
}
