import type { Readable } from "node:stream";
import { createSecureContext, getCACertificates } from "node:tls";
import { Agent } from "undici";
import { AppError } from "@/lib/domain/errors";
import { checkReceiverUrl } from "@/lib/domain/receiver-url";
import { checkedConnector } from "@/lib/net/checked-connector";
import { describeFailure, type EgressError, EgressFailure } from "@/lib/net/egress-failure";
import { createPublicResolver, type ResolveHost, resolveLocally } from "@/lib/net/resolve-host";
import { withDeadline } from "@/lib/net/with-deadline";

/**
 * The one way to a receiver: HTTPS only, checked addresses, no redirects, limits on time and bytes (contract §8).
 */

export const MAX_RESPONSE_BYTES = 64 * 1024;

/** Well before most servers would close them. */
const IDLE_CONNECTION_MS = 2_000;
/** After this a connection is made, resolved and checked anew. */
const CONNECTION_LIFETIME_MS = 60_000;
const MAX_RESPONSE_HEADER_BYTES = 16 * 1024;

export interface EgressOptions {
  /** From the start of a request to the end of its response, connecting included; what has not come by then is not waited for. */
  timeoutMs: number;
  /** Names, or `name:port`, whose addresses and ports are not checked. */
  allowedHosts: readonly string[];
  /** PEM certificates trusted besides the system's. */
  extraCa?: string;
  /** Stands in for all name look-ups. */
  resolve?: ResolveHost;
}

export interface EgressRequest {
  headers: Record<string, string>;
  body: Uint8Array;
}

export interface EgressResponse {
  status: number;
  headers: Record<string, string | string[]>;
  /** At most the first 64 KB, or what came before it broke off. */
  body: Buffer;
  /** Why there is no more of a body that did not come to its end. The status counts all the same (§6.4.1). */
  incomplete?: EgressError;
  durationMs: number;
}

export interface EgressFault {
  error: EgressError;
  durationMs: number;
}

export interface EgressClient {
  /** Sends one POST. Whatever is wrong with the receiver is in the result; it never throws for that. */
  post(url: string, request: EgressRequest): Promise<EgressResponse | EgressFault>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Makes an egress client with connections of its own. */
export function createEgressClient(options: EgressOptions): EgressClient {
  const agent = createAgent(options);
  return {
    async post(url, request) {
      const startedAt = performance.now();
      const elapsed = () => Math.round(performance.now() - startedAt);
      // The signal frees the connection; it does nothing before there is one, hence the deadline beside it.
      const abort = new AbortController();
      try {
        const target = checkTarget(url, options.allowedHosts);
        const sending = sendPost(agent, target, request, abort.signal);
        const response = await withDeadline(sending, options.timeoutMs, () => abort.abort());
        const leftMs = Math.max(0, options.timeoutMs - (performance.now() - startedAt));
        const read = await readBody(response.body, leftMs);
        return {
          status: response.statusCode,
          headers: presentHeaders(response.headers),
          ...read,
          durationMs: elapsed(),
        };
      } catch (error) {
        return { error: describeFailure(error), durationMs: elapsed() };
      }
    },
    close: () => agent.destroy(),
  };
}

function createAgent({ timeoutMs, allowedHosts, extraCa, resolve }: EgressOptions): Agent {
  return new Agent({
    connect: checkedConnector({
      allowedHosts,
      timeoutMs,
      secureContext: createSecureContext({
        minVersion: "TLSv1.2",
        ...(extraCa === undefined ? {} : { ca: [...getCACertificates("default"), extraCa] }),
      }),
      resolvePublic: resolve ?? createPublicResolver(),
      resolveAllowed: resolve ?? resolveLocally,
    }),
    allowH2: false,
    // As many as the queue lets be under way (`deliver-webhook`): a request that had to wait here for one of those that
    // hang, perhaps another tenant's at the same host, would run out of its time without ever being sent.
    connections: null,
    clientTtl: CONNECTION_LIFETIME_MS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    // The deadline of each request is its own; the pool's would only blur it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function checkTarget(url: string, allowedHosts: readonly string[]): URL {
  try {
    return checkReceiverUrl(url, { allowedHosts });
  } catch (error) {
    const isNotHttps = error instanceof AppError && error.code === "URL_NOT_HTTPS";
    throw new EgressFailure(isNotHttps ? "URL_NOT_HTTPS" : "URL_NOT_ALLOWED", { cause: error });
  }
}

async function sendPost(agent: Agent, url: URL, { headers, body }: EgressRequest, signal: AbortSignal) {
  const response = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: "POST",
    headers,
    body,
    signal,
  });
  // Whoever stops reading destroys the body, which may still say so.
  response.body.on("error", () => {});
  return response;
}

/** Reads until the end, the limit, a break or the deadline; never rejects. */
async function readBody(body: Readable, timeoutMs: number): Promise<Pick<EgressResponse, "body" | "incomplete">> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let incomplete: EgressError | undefined;
  const timer = setTimeout(() => body.destroy(new EgressFailure("TIMEOUT")), timeoutMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_RESPONSE_BYTES) break;
    }
  } catch (error) {
    incomplete = describeFailure(error);
  } finally {
    clearTimeout(timer);
  }
  return { body: Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES), ...(incomplete && { incomplete }) };
}

function presentHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined),
  );
}
