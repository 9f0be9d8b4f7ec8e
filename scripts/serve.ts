import { createServer, type Server, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import next from "next";

/**
 * The server process: Next behind node's own HTTP server. Started by `npm start` and `npm run dev`, which tell it by
 * message to stop; it also stops when they are gone. Runs without a loader, so it imports packages alone.
 */

interface ServeOptions {
  host: string;
  port: number;
  isDevelopment: boolean;
}

type ShutdownHook = () => Promise<void>;

/** How long a client may take to send a whole request: 500 MB at 140 kB/s. Responses (streams) have no limit here. */
const REQUEST_TIMEOUT_MS = 3_600_000;
const HEADERS_TIMEOUT_MS = 30_000;
/** Above the usual 60 s of load balancers, so that it is never the server that closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** For calls under way; streams end when the application's hooks have run. */
const DRAIN_MS = 1_000;
const STOP_TIMEOUT_MS = 10_000;
/** As lib/domain/client-ip.ts names it. */
const REMOTE_ADDRESS_HEADER = "x-service-remote-address";
/** As lib/http/respond.ts names it. */
const LENGTH_HEADER = "x-service-content-length";
const SHUTDOWN_HOOKS = Symbol.for("service.shutdown");

const options: ServeOptions = JSON.parse(process.argv[2] ?? "{}");
const servers: Server[] = [];
let isStopping = false;

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
  const app = next({ dev: isDevelopment, hostname: host, port, quiet: true });
  const handle = app.getRequestHandler();
  await app.prepare();
  for (const address of addressesFor(host)) {
    const server = createServer((request, response) => {
      // Whatever a client wrote there: the address is the socket's.
      request.headers[REMOTE_ADDRESS_HEADER] = request.socket.remoteAddress;
      keepContentLength(response);
      void handle(request, response);
    });
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    server.headersTimeout = HEADERS_TIMEOUT_MS;
    server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
    servers.push(server);
    await listen(server, address, port);
  }
  tell({ listening: true });
}

/** Next leaves out how long a route's answer is: it is put back when the headers go out. */
function keepContentLength(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...rest: unknown[]) => ServerResponse;
  response.writeHead = (...rest: unknown[]) => {
    const length = response.getHeader(LENGTH_HEADER);
    response.removeHeader(LENGTH_HEADER);
    // A compressed answer has another length, which nobody knows yet.
    if (length !== undefined && !response.hasHeader("content-encoding")) response.setHeader("content-length", length);
    return writeHead(...rest);
  };
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

/** Accepts nothing new, lets calls end, runs what the application registered, cuts what is left. */
function stop(): void {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
  void drain().then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`${(error as Error).stack ?? error}\n`);
      process.exit(1);
    },
  );
}

async function drain(): Promise<void> {
  const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  for (const server of servers) server.closeIdleConnections();
  await Promise.race([closed, delay(DRAIN_MS)]);
  const hooks = (globalThis as unknown as Record<symbol, ShutdownHook[] | undefined>)[SHUTDOWN_HOOKS] ?? [];
  await Promise.all(hooks.map((hook) => hook()));
  for (const server of servers) server.closeAllConnections();
}

function tell(message: object): void {
  if (process.connected) process.send?.(message);
}
