import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Inngest, type InngestFunction } from "inngest";
import { serve } from "inngest/node";

/** An app as an SDK user writes it: the unmodified client, and `serve()` on a real server. */
export interface TestApp {
  client: Inngest;
  serveUrl: string;
  /** Serves these functions from now on, of a client that talks to this runner. */
  serve(runnerUrl: string, makeFunctions: (client: Inngest) => InngestFunction.Any[]): void;
  close(): Promise<void>;
}

export const SIGNING_KEY = `signkey-test-${"0123456789abcdef".repeat(4)}`;
export const EVENT_KEY = "test-event-key";
const SERVE_PATH = "/api/inngest";

export function makeClient(runnerUrl: string, keys: { eventKey?: string; signingKey?: string } = {}): Inngest {
  return new Inngest({
    id: "app",
    isDev: false,
    baseUrl: runnerUrl,
    eventKey: keys.eventKey ?? EVENT_KEY,
    signingKey: keys.signingKey ?? SIGNING_KEY,
    logger: { info() {}, warn() {}, error() {}, debug() {} },
  });
}

/** Starts the server; it answers once `serve` was called. */
export async function startTestApp(port = 0): Promise<TestApp> {
  let handler: ReturnType<typeof serve> | undefined;
  let client: Inngest | undefined;
  const server: Server = createServer((request, response) => {
    if (handler) return void handler(request, response);
    response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    get client() {
      if (!client) throw new Error("Call serve() first.");
      return client;
    },
    serveUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${SERVE_PATH}`,
    serve(runnerUrl, makeFunctions) {
      client = makeClient(runnerUrl);
      handler = serve({ client, functions: makeFunctions(client) });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Waits until `check` gives something other than undefined or false. */
export async function until<T>(
  check: () => T | Promise<T>,
  timeoutMs = 15_000,
): Promise<Exclude<T, undefined | false | null>> {
  const giveUpAt = Date.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false && value !== null) return value as Exclude<T, undefined | false | null>;
    if (Date.now() > giveUpAt) throw new Error(`Waited ${timeoutMs} ms in vain for: ${check}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
