import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isTransient } from "@/inngest/embedded/database";
import type { FunctionRegistry } from "@/inngest/embedded/function-registry";
import type { Log } from "@/inngest/embedded/log";
import { readRegistration, UnsupportedConfigError } from "@/inngest/embedded/read-config";
import { InvalidEventError, readEvents } from "@/inngest/embedded/read-events";
import { hashSigningKey, isSameText } from "@/inngest/embedded/sign-request";
import type { EventStore } from "@/inngest/embedded/store-events";

export interface HttpServerOptions {
  port: number;
  signingKey: string;
  eventKey: string;
  registry: FunctionRegistry;
  events: EventStore;
  log: Log;
}

interface Answer {
  status: number;
  [member: string]: unknown;
}

const HOST = "127.0.0.1";
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const KEEP_ALIVE_MS = 65_000;

class BodyTooLargeError extends Error {}

/** The part of Inngest's API that its SDK needs: events in, functions registered. On loopback only. */
export async function startHttpServer(options: HttpServerOptions): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const answer = await answerTo(request, options).catch((error: unknown) => answerToError(error, options.log));
    const body = JSON.stringify(answer);
    response.writeHead(answer.status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, HOST, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return { url: `http://${HOST}:${(server.address() as AddressInfo).port}`, server };
}

async function answerTo(request: IncomingMessage, options: HttpServerOptions): Promise<Answer> {
  const { pathname } = new URL(request.url ?? "/", "http://runner");
  if (request.method === "POST" && pathname.startsWith("/e/"))
    return receiveEvents(request, decodeURIComponent(pathname.slice(3)), options);
  if (request.method === "POST" && pathname === "/fn/register") return register(request, options);
  return { status: 404, error: "The embedded Inngest runner does not have this endpoint." };
}

async function receiveEvents(request: IncomingMessage, key: string, options: HttpServerOptions): Promise<Answer> {
  if (!isSameText(key, options.eventKey)) return { status: 401, error: "Event key not found" };
  const seed = request.headers["x-inngest-event-id-seed"];
  const events = readEvents(await readJson(request), typeof seed === "string" ? seed : undefined);
  if (!(await options.registry.isReadyFor(events.map(({ name }) => name))))
    return { status: 503, error: "No app has registered its functions yet." };
  await options.events.add(events, { isDurable: true });
  return { status: 200, ids: events.map(({ id }) => id) };
}

async function register(request: IncomingMessage, options: HttpServerOptions): Promise<Answer> {
  if (!isSameText(request.headers.authorization ?? "", `Bearer ${hashSigningKey(options.signingKey)}`)) {
    return { status: 401, error: "The signing key is wrong." };
  }
  const { appId, functions } = readRegistration(await readJson(request));
  const modified = await options.registry.store(appId, functions);
  if (modified)
    options.log("info", "Functions registered", { appId, functions: functions.map(({ id }) => id).join(",") });
  return { status: 200, ok: true, modified };
}

function answerToError(error: unknown, log: Log): Answer {
  if (
    error instanceof InvalidEventError ||
    error instanceof UnsupportedConfigError ||
    error instanceof SyntaxError ||
    error instanceof URIError
  ) {
    return { status: 400, error: error.message };
  }
  if (error instanceof BodyTooLargeError) return { status: 413, error: "The body is too large." };
  log("warn", "A request could not be stored", { reason: String(error) });
  return isTransient(error)
    ? { status: 503, error: "The database is away." }
    : { status: 500, error: "Internal error" };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new BodyTooLargeError();
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}
