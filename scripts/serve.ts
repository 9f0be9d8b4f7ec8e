import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import next from "next";
import type { Stopping } from "@/lib/stopping";
import { backgroundStart } from "../lib/background-start.ts";
import { newId } from "../lib/domain/ids.ts";
import { letHandOn, nameSender } from "../lib/http/handed-on-calls.ts";
import { processSingleton } from "../lib/process-singleton.ts";
import { serveBounded, tooMuchToRead } from "./support/bound-action-calls.ts";
import { contentSecurityPolicy } from "./support/content-security-policy.mjs";
import { serveByNext } from "./support/next-answers.ts";
import { refuseSocket } from "./support/refuse-socket.mjs";
import { pathOfTarget, withoutObjectNames } from "./support/request-target.mjs";
import { dropUnreadRouterState } from "./support/router-state.ts";
import { STRICT_TRANSPORT } from "./support/strict-transport.mjs";

/**
 * The server process: Next behind node's own HTTP server. Started by `npm start` and `npm run dev`, which tell it by
 * message to stop; it also stops when they are gone. Runs without a loader, so it imports packages,
 * plain JavaScript, and TypeScript that imports as little, by its whole name.
 */

interface ServeOptions {
  host: string;
  port: number;
  isDevelopment: boolean;
}

type ShutdownHook = () => Promise<void>;

/** app/_lane/lane.ts */
interface Lane {
  /** False, and nothing done, for a call that is Next's. */
  serveInLane(request: IncomingMessage, response: ServerResponse): boolean;
  /** The answer to what is no call, by node's code of what is wrong; and to TRACE, at which Next fails. */
  refuseTransport(fault: string | undefined): { status: number; headers: Record<string, string>; body: string };
}

/** How long a client may take to send a whole request: 500 MB at 140 kB/s. Responses (streams) have no limit here. */
const REQUEST_TIMEOUT_MS = 3_600_000;
const HEADERS_TIMEOUT_MS = 30_000;
/** Above the usual 60 s of load balancers, so that it is never the server that closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** For calls under way; streams end when the application's hooks have run. */
const DRAIN_MS = 1_000;
const STOP_TIMEOUT_MS = 10_000;
/** As lib/panel/require-panel.ts names it: Next tells a page nothing of its own address. */
const PATH_HEADER = "x-service-path";
/** As scripts/support/build-app.ts names it. */
const LANE_FILE = "lane.mjs";
/** As next.config.ts draws the line. */
const NOT_PAGES =
  /^\/(api\/(v1|inngest)|b2b|_next\/static)([/?]|$)|^\/openapi\.json|^\/((panel\/sessions\/[^/]+\/)?files|panel\/(end-users|settings\/company)\/exports)\/[^/?]+(\?|$)/;
/** How long it goes on serving after it said that it stops, for proxies to notice; lib/env.ts checks it. */
const STOP_DELAY_MS = Number(process.env.STOP_DELAY_SECONDS?.trim() || 0) * 1_000;

// Read with every job, by packages too, and never changed: node asks the system for each variable each time.
process.env = { ...process.env };

const options: ServeOptions = JSON.parse(process.argv[2] ?? "{}");
const servers: Server[] = [];
/** As lib/stopping.ts keeps it. */
const stopping = processSingleton<Stopping>("stopping", () => ({ isStopping: false, listeners: new Set() }));

process.on("SIGTERM", stop);
// Ctrl-C reaches the parent, which stops this process in order.
process.on("SIGINT", () => {});
process.on("disconnect", stop);
process.on("message", (message) => {
  if (message === "stop") stop();
});

try {
  await serve();
} catch (error) {
  tell({ failed: (error as NodeJS.ErrnoException).code ?? "ERROR" });
  if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE")
    process.stderr.write(`${(error as Error).stack ?? error}\n`);
  process.exit(1);
}

async function serve(): Promise<void> {
  const { host, port, isDevelopment } = options;
  // Where Next hands calls on. By itself it would ask by the protocol that a proxy's client spoke, and this server knows no TLS.
  if (!isDevelopment) process.env.__NEXT_PRIVATE_ORIGIN = `http://127.0.0.1:${port}`;
  // Next listens for upgrades on the server that it is given, or else on that of its first call. Node then hands that listener
  // every call that offers another protocol (Java's client: h2c), and nobody answers it. Only `npm run dev` has upgrades.
  const upgrades = isDevelopment ? {} : { httpServer: createServer() };
  const app = next({ dev: isDevelopment, hostname: host, port, quiet: true, ...upgrades });
  const handle = app.getRequestHandler();
  await app.prepare();
  const { failure } = await backgroundStart().promise;
  // Without its code: that would be taken for the port's.
  if (failure) throw new Error(`What works behind the server did not start: ${failure.message}`);
  const lane = isDevelopment ? null : await loadLane();
  for (const address of addressesFor(host)) {
    const serverOptions = { shouldUpgradeCallback: isUpgrade, requireHostHeader: lane === null };
    const serveCall = (request: IncomingMessage, response: ServerResponse) => {
      // Whoever comes back finds another process.
      if (stopping.isStopping) response.shouldKeepAlive = false;
      nameSender(request);
      request.url = pathOfTarget(request.url ?? "/");
      request.headers[PATH_HEADER] = request.url;
      if (request.url === "*") return void answerForAll(response);
      if (lane && isHostMissing(request)) return void refuseCall(response, lane.refuseTransport("NO_HOST"));
      if (lane?.serveInLane(request, response)) return;
      if (lane && request.method === "TRACE") return void refuseCall(response, lane.refuseTransport("TRACE"));
      request.url = withoutObjectNames(request.url);
      dropUnreadRouterState(request.headers);
      letHandOn(request);
      if (!isDevelopment) limitScripts(request, response);
      serveBounded(request, {
        serve: () => serveByNext(request, response, () => void handle(request, response)),
        refuse: (status) => refuseCall(response, tooMuchToRead(status)),
      });
    };
    const server = createServer(serverOptions, serveCall);
    // Nothing is expected of the service but what each answer is: what else a client asks for makes no difference.
    server.on("checkExpectation", serveCall);
    if (lane) server.on("clientError", (error, socket) => refuseSocket(error, socket, lane.refuseTransport));
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    server.headersTimeout = HEADERS_TIMEOUT_MS;
    server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
    servers.push(server);
    await listen(server, address, port);
  }
  tell({ listening: true });
}

/** To a question about no resource of the server, as some watchers of it ask. */
function answerForAll(response: ServerResponse): void {
  const headers = { Allow: "GET, HEAD, POST, PUT, DELETE, OPTIONS", "Cache-Control": "no-store" };
  response.writeHead(204, { ...headers, "X-Request-Id": newId("request") }).end();
}

/** What else is offered is declined by answering in HTTP. */
function isUpgrade({ headers }: IncomingMessage): boolean {
  return options.isDevelopment && headers.upgrade?.toLowerCase() === "websocket";
}

/** Only now, after Next has run the instrumentation: the lane's functions find the pools and the queue in place. */
async function loadLane(): Promise<Lane | null> {
  // For the tests that show both mounts to answer alike; hosts without this server have Next alone.
  if (process.env.SERVICE_MOUNT === "next") return null;
  const file = resolve(process.env.NEXT_DIST_DIR ?? ".next", LANE_FILE);
  return import(pathToFileURL(file).href);
}

function isHostMissing({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === "1.1" && headers.host === undefined;
}

function refuseCall(response: ServerResponse, { status, headers, body }: ReturnType<Lane["refuseTransport"]>): void {
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" }).end(body);
}

/** A nonce for each page: Next reads it from the request's policy and puts it on its own scripts. */
function limitScripts(request: IncomingMessage, response: ServerResponse): void {
  if (NOT_PAGES.test(request.url ?? "")) return;
  const policy = contentSecurityPolicy({ nonce: randomBytes(16).toString("base64"), isDevelopment: false });
  request.headers["content-security-policy"] = policy;
  response.setHeader("Content-Security-Policy", policy);
  if (process.env.APP_URL?.trim().startsWith("https:"))
    response.setHeader("Strict-Transport-Security", STRICT_TRANSPORT);
}

/** Where background work calls the service is loopback, so that is always among them. */
function addressesFor(host: string): string[] {
  const isLoopbackReached = ["0.0.0.0", "::", "127.0.0.1", "localhost"].includes(host);
  return isLoopbackReached ? [host === "localhost" ? "127.0.0.1" : host] : [host, "127.0.0.1"];
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
}

/**
 * Says that it stops and serves on for a moment; then accepts nothing new, ends streams, lets calls end, runs what the
 * application registered, cuts what is left.
 */
function stop(): void {
  if (stopping.isStopping) return;
  stopping.isStopping = true;
  setTimeout(() => process.exit(1), STOP_DELAY_MS + STOP_TIMEOUT_MS).unref();
  void drain().then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`${(error as Error).stack ?? error}\n`);
      process.exit(1);
    },
  );
}

async function drain(): Promise<void> {
  if (STOP_DELAY_MS > 0 && servers.length > 0) await delay(STOP_DELAY_MS);
  const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  for (const server of servers) server.closeIdleConnections();
  for (const end of [...stopping.listeners]) end();
  await Promise.race([closed, delay(DRAIN_MS)]);
  const hooks = processSingleton<ShutdownHook[]>("shutdown", () => []);
  await Promise.all(hooks.map((hook) => hook()));
  for (const server of servers) server.closeAllConnections();
}

function tell(message: object): void {
  if (process.connected) process.send?.(message);
}
