/** A small client for tests: plain HTTP, nothing of the service's own code. */

export interface ApiResponse<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

/** The error body of the contract (§2). */
export interface ErrorBody {
  error: {
    code: string;
    message: string;
    param?: string;
    details?: { param: string; message: string }[];
    retryable: boolean;
    docUrl?: string;
    requestId: string;
  };
}

export interface StreamedEvent {
  id?: number;
  event: string;
  data: Record<string, unknown>;
}

export interface ApiClient {
  get<Body = Record<string, unknown>>(path: string, headers?: Record<string, string>): Promise<ApiResponse<Body>>;
  post<Body = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse<Body>>;
  /** Sends a form; files are `File`s. */
  upload<Body = Record<string, unknown>>(
    path: string,
    fields: Record<string, string | File | File[]>,
  ): Promise<ApiResponse<Body>>;
  /** Anything else; the raw response. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** All events until the server closes; null for 204. */
  stream(path: string, headers?: Record<string, string>): Promise<StreamedEvent[] | null>;
  /** Polls until the session is in none of the open statuses; a 503 is asked again, as its `Retry-After` bids. */
  waitUntilDone<Body = Record<string, unknown>>(path: string, timeoutMs?: number): Promise<Body>;
}

/** Told of each answer before the test sees it; what it throws, the call throws. */
export type ResponseObserver = (request: { method: string; url: string }, response: Response) => Promise<void>;

let observer: ResponseObserver | undefined;

/** From now on every client of this process shows its answers. */
export function observeResponses(observe: ResponseObserver): void {
  observer = observe;
}

/** Paths begin behind {base_url}; one that begins with `//` begins behind {host_url}. */
export function apiClient(hostUrl: string, apiKey?: string): ApiClient {
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (apiKey && !headers.has("x-api-key") && !headers.has("authorization")) headers.set("x-api-key", apiKey);
    const url = path.startsWith("//") ? hostUrl + path.slice(1) : `${hostUrl}/api/v1${path}`;
    const response = await fetch(url, { ...init, headers });
    await observer?.({ method: init.method ?? "GET", url }, response);
    return response;
  };
  const parse = async <Body>(response: Response): Promise<ApiResponse<Body>> => {
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === "" ? null : JSON.parse(text)) as Body,
    };
  };
  const client: ApiClient = {
    get: async (path, headers) => parse(await send(path, { headers })),
    post: async (path, body, headers) =>
      parse(
        await send(path, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: typeof body === "string" ? body : JSON.stringify(body),
        }),
      ),
    upload: async (path, fields) => parse(await send(path, { method: "POST", body: formOf(fields) })),
    fetch: send,
    stream: async (path, headers) => {
      const response = await send(path, { headers });
      if (response.status === 204) return null;
      if (response.status !== 200) throw new Error(`stream answered ${response.status}: ${await response.text()}`);
      const events: StreamedEvent[] = [];
      for await (const event of readEvents(response)) events.push(event);
      return events;
    },
    waitUntilDone: async <Body>(path: string, timeoutMs = 120_000) => {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const { status, body } = await client.get<{ status: string }>(path);
        if (status !== 200 && status !== 503) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
        if (status === 200 && body.status !== "started" && body.status !== "resumed") return body as Body;
        if (Date.now() > deadline) throw new Error(`${path} is still ${body.status ?? status} after ${timeoutMs} ms`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
  };
  return client;
}

/** The events of a stream as they come; comments are left out. */
export async function* readEvents(response: Response): AsyncGenerator<StreamedEvent> {
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const event = parseEvent(text.slice(0, end));
      text = text.slice(end + 2);
      if (event) yield event;
    }
  }
}

function parseEvent(block: string): StreamedEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart());
  }
  const [event, data, id] = [fields.get("event"), fields.get("data"), fields.get("id")];
  if (event === undefined || data === undefined) return null;
  return { event, data: JSON.parse(data) as Record<string, unknown>, ...(id !== undefined && { id: Number(id) }) };
}

function formOf(fields: Record<string, string | File | File[]>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, item);
  }
  return form;
}

/** The text that a stream's reader ends up with. */
export function textOfStream(events: StreamedEvent[]): string {
  let text = "";
  for (const { event, data } of events) {
    if (event === "reset") text = "";
    if (event === "chunk") text += data.delta as string;
  }
  return text;
}
