import { createServer, type Server, type ServerResponse } from "node:http";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { writeMetrics } from "@/lib/services/metrics/write-metrics";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Serves this process's figures to operators at `GET /metrics`, on a listener of its own: never on the public port.
 * Without METRICS_PORT there is none. A port that is taken costs the figures, not the service: during an upgrade the
 * process before this one may still have it.
 * @returns how to stop it
 */
export async function startMetricsServer(): Promise<() => Promise<void>> {
  const { METRICS_HOST: host, METRICS_PORT: port } = env();
  if (port === undefined) return async () => {};
  const server = createServer((request, response) => {
    if (request.method === "GET" && request.url?.split("?")[0] === "/metrics") void answer(response);
    else response.writeHead(404, { "Content-Length": 0 }).end();
  });
  await listen(server, host, port);
  return async () => {
    server.close();
    server.closeAllConnections();
  };
}

async function answer(response: ServerResponse): Promise<void> {
  try {
    const text = await writeMetrics();
    response.writeHead(200, { "Content-Type": CONTENT_TYPE, "Cache-Control": "no-store" }).end(text);
  } catch (error) {
    log("error", "The metrics could not be written.", {}, error);
    response.writeHead(500, { "Content-Length": 0 }).end();
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve) => {
    server.once("error", (error) => {
      log("error", "There are no metrics: METRICS_PORT cannot be listened on at METRICS_HOST.", { host, port }, error);
      resolve();
    });
    server.listen(port, host, resolve);
  });
}
