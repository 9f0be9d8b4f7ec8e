import type { IncomingMessage } from "node:http";

const SAFE_HOST = /^[\w.:[\]-]+$/;

/**
 * A call as the endpoint functions take it. Its body is read from the socket only as fast as it is asked for, and not at
 * all while nobody asks: node then drops what is left of it once the answer is out.
 */
export function toRequest(incoming: IncomingMessage): Request {
  const { method = "GET", url = "/", headers } = incoming;
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return new Request(`http://${hostOf(headers)}${url}`, {
    method,
    headers: toHeaders(headers),
    ...(hasBody && method !== "GET" && method !== "HEAD" && { body: bodyOf(incoming), duplex: "half" }),
  });
}

/** What no address can have as its host (`a:b`) is none. */
function hostOf({ host }: IncomingMessage["headers"]): string {
  return host !== undefined && SAFE_HOST.test(host) && URL.canParse(`http://${host}`) ? host : "localhost";
}

/** As they were sent; of one that came several times, all. */
export function toHeaders(headers: IncomingMessage["headers"]): Headers {
  const result = new Headers();
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "string") result.append(name, value);
    else for (const single of value ?? []) result.append(name, single);
  }
  return result;
}

function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let wake = () => {};
  let isFollowed = false;
  const follow = () => {
    isFollowed = true;
    const onChange = () => wake();
    for (const event of ["readable", "end", "error", "close"]) incoming.on(event, onChange);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isFollowed) follow();
        for (;;) {
          const chunk: Buffer | null = incoming.read();
          if (chunk !== null) return controller.enqueue(chunk);
          if (incoming.readableEnded) return controller.close();
          if (incoming.destroyed) throw incoming.errored ?? new Error("The request was cut off.");
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
      cancel() {
        incoming.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
