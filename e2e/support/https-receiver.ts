import { EventEmitter, once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createTestCertificates, type TestCertificates } from "@/e2e/support/test-certificates";

/** A real HTTPS receiver on loopback for tests and benchmarks: records what comes and answers as told. */

export type Behaviour =
  | { kind: "ok"; status?: number; body?: string; headers?: Record<string, string> }
  | { kind: "slow"; delayMs: number }
  /** Reads the request and never answers. */
  | { kind: "hang" }
  /** Sends the headers at once and then a byte every `everyMs`, without end. */
  | { kind: "drip"; everyMs: number; status?: number }
  /** Sends the headers and a part of the body, and cuts the connection off. */
  | { kind: "cut"; status?: number }
  /** Cuts the connection off when the request is there. */
  | { kind: "reset" }
  | { kind: "fail"; status: number }
  | { kind: "redirect"; location: string; status?: number }
  /** A response body of that many bytes; left open, it never says that they were all. */
  | { kind: "huge"; bytes: number; isLeftOpen?: boolean }
  /** These bytes instead of an HTTP response. */
  | { kind: "raw"; text: string };

export interface ReceivedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes. */
  body: Buffer;
  receivedAt: Date;
}

export interface ReceiverOptions {
  certificates?: TestCertificates;
  /** How to answer; a function is asked for each request. Default: 200. */
  behaviour?: Behaviour | ((request: ReceivedRequest) => Behaviour);
}

export interface HttpsReceiver {
  /** `https://localhost:<port>` */
  url: string;
  port: number;
  /** What OUTBOUND_EXTRA_CA_FILE has to hold. */
  caPem: string;
  /** All requests, in order of arrival of their last byte. */
  requests: ReceivedRequest[];
  /** How often a client connected. */
  connectionCount(): number;
  /** How many clients are connected now. */
  openCount(): number;
  /** Changes how it answers from now on. */
  behave(behaviour: NonNullable<ReceiverOptions["behaviour"]>): void;
  /** Resolves when that many requests have come; rejects after `timeoutMs`. */
  waitForRequests(count: number, timeoutMs?: number): Promise<ReceivedRequest[]>;
  /** Cuts off whoever is connected. */
  close(): Promise<void>;
}

/** Starts a receiver on a free port. */
export async function startHttpsReceiver(options: ReceiverOptions = {}): Promise<HttpsReceiver> {
  const certificates = options.certificates ?? createTestCertificates();
  let behaviour = options.behaviour ?? { kind: "ok" };
  let connections = 0;
  const requests: ReceivedRequest[] = [];
  const arrivals = new EventEmitter();
  const sockets = new Set<Duplex>();

  const server = createServer({ cert: certificates.certPem, key: certificates.keyPem }, (incoming, response) => {
    readRequest(incoming).then(
      (request) => {
        requests.push(request);
        arrivals.emit("request");
        answer(response, typeof behaviour === "function" ? behaviour(request) : behaviour);
      },
      () => response.destroy(),
    );
  });
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    url: `https://localhost:${port}`,
    port,
    caPem: certificates.caPem,
    requests,
    connectionCount: () => connections,
    openCount: () => sockets.size,
    behave(next) {
      behaviour = next;
    },
    async waitForRequests(count, timeoutMs = 30_000) {
      const signal = AbortSignal.timeout(timeoutMs);
      while (requests.length < count) await once(arrivals, "request", { signal });
      return requests;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = "", url: path = "", headers } = incoming;
  return { method, path, headers, body: Buffer.concat(chunks), receivedAt: new Date() };
}

function answer(response: ServerResponse, behaviour: Behaviour): void {
  switch (behaviour.kind) {
    case "ok":
      response.writeHead(behaviour.status ?? 200, behaviour.headers).end(behaviour.body ?? "received");
      return;
    case "slow":
      setTimeout(() => response.writeHead(200).end("received late"), behaviour.delayMs);
      return;
    case "hang":
      return;
    case "drip": {
      response.writeHead(behaviour.status ?? 200).flushHeaders();
      const timer = setInterval(() => response.write("."), behaviour.everyMs);
      response.on("close", () => clearInterval(timer));
      return;
    }
    case "cut":
      response.writeHead(behaviour.status ?? 200).write("half", () => response.socket?.destroy());
      return;
    case "reset":
      response.socket?.destroy();
      return;
    case "fail":
      response.writeHead(behaviour.status).end(`failed with ${behaviour.status}`);
      return;
    case "redirect":
      response.writeHead(behaviour.status ?? 302, { location: behaviour.location }).end();
      return;
    case "huge":
      response.writeHead(200).write(Buffer.alloc(behaviour.bytes, "x"));
      if (!behaviour.isLeftOpen) response.end();
      return;
    case "raw":
      response.socket?.end(behaviour.text);
  }
}
