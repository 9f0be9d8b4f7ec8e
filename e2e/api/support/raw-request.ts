import { Agent, type IncomingHttpHeaders, request } from "node:http";
import type { ApiResponse } from "@/e2e/support/api-client";
import { suite } from "@/e2e/support/suite";
import { validateSeen } from "@/e2e/support/validate-response";

export interface RawRequest {
  method: string;
  /** From the host's root. */
  path: string;
  headers?: Record<string, string>;
  body?: AsyncIterable<Uint8Array> | Uint8Array;
}

/**
 * A request byte by byte, for bodies that no client library would send. Resolves with the answer as soon as it is there,
 * also when the server does not read the body to its end.
 */
export function rawRequest({ method, path, headers = {}, body }: RawRequest): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    // A connection of its own: after a body that breaks off, no other request can use it. Kept open by the server, so that
    // an early answer is not lost with what is still being sent.
    const agent = new Agent({ keepAlive: true });
    const outgoing = request(suite.url + path, { method, headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        outgoing.destroy();
        agent.destroy();
        const text = Buffer.concat(chunks).toString("utf8");
        const [status, answered] = [incoming.statusCode ?? 0, toHeaders(incoming.headers)];
        try {
          validateSeen({ method, path: new URL(path, suite.url).pathname, status, headers: answered, text });
        } catch (error) {
          reject(error);
        }
        resolve({
          status,
          headers: answered,
          body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>),
        });
      });
    });
    // A server that answers early closes the connection while we write: its answer is what counts.
    outgoing.on("error", reject);
    void writeAll(outgoing, body);
  });
}

/** Sends the beginning of a request and leaves without a word. */
export function abandonedRequest(init: RawRequest & { body: Uint8Array }): Promise<void> {
  return new Promise((resolve) => {
    const outgoing = request(suite.url + init.path, { method: init.method, headers: init.headers ?? {}, agent: false });
    outgoing.on("error", () => {});
    outgoing.on("close", resolve);
    outgoing.write(init.body, () => outgoing.destroy());
  });
}

async function writeAll(outgoing: ReturnType<typeof request>, body: RawRequest["body"]): Promise<void> {
  if (body === undefined || body instanceof Uint8Array) {
    outgoing.end(body);
    return;
  }
  for await (const chunk of body) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk)) await drained(outgoing);
  }
  outgoing.end();
}

/** Resolves when more can be written, or when nobody reads any more. */
function drained(outgoing: ReturnType<typeof request>): Promise<void> {
  return new Promise((resolve) => {
    const resume = () => {
      outgoing.off("drain", resume).off("close", resume);
      resolve();
    };
    outgoing.on("drain", resume).on("close", resume);
  });
}

function toHeaders(incoming: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming)) if (value !== undefined) headers.set(name, String(value));
  return headers;
}
