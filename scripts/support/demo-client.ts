/** A client of the API as a customer would write it: fetch and nothing else. */
export interface DemoClient {
  /** Sends JSON or a form; returns the answer's status and JSON, whatever the status. */
  call<T>(method: "GET" | "POST", path: string, body?: object | FormData): Promise<Answer<T>>;
  /** The raw response, for files and streams. */
  open(path: string): Promise<Response>;
}

export interface Answer<T> {
  status: number;
  body: T;
  /** Until the whole answer was there. */
  milliseconds: number;
}

/** One event of a session's stream. */
export interface StreamEvent {
  name: string;
  data: Record<string, unknown>;
}

/** A client for {base_url} with a key. */
export function demoClient(hostUrl: string, apiKey: string): DemoClient {
  const headers = { "X-API-Key": apiKey };
  const address = (path: string) => `${hostUrl}/api/v1${path}`;
  return {
    async call<T>(method: "GET" | "POST", path: string, body?: object | FormData) {
      const startedAt = performance.now();
      const isForm = body instanceof FormData;
      const response = await fetch(address(path), {
        method,
        headers: isForm || body === undefined ? headers : { ...headers, "Content-Type": "application/json" },
        body: isForm ? body : body && JSON.stringify(body),
      });
      const answer = (await response.json()) as T;
      return { status: response.status, body: answer, milliseconds: performance.now() - startedAt };
    },
    open: (path) => fetch(address(path), { headers }),
  };
}

/** The events of a stream as they arrive; comments are left out. */
export async function* streamEvents(response: Response): AsyncGenerator<StreamEvent> {
  let text = "";
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + part).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const name = /^event: ?(.+)$/m.exec(block)?.[1];
      const data = /^data: ?(.+)$/m.exec(block)?.[1];
      if (name !== undefined && data !== undefined) yield { name, data: JSON.parse(data) };
    }
  }
}
