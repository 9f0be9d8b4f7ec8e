import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerText, sendAnswer, sendFailure } from "@/e2e/support/model-server-answers";
import { type Journal, type ModelRequest, waitForRequests, writeJournal } from "@/e2e/support/model-server-journal";
import { type ModelOrders, readOrders } from "@/e2e/support/model-server-orders";
import { isOutputPath, type OutputState, promptOf, sendOutput } from "@/e2e/support/model-server-outputs";
import { readSoundForm } from "@/e2e/support/model-server-sound";

/**
 * The test double of the model: OpenAI's protocol over real HTTP, on loopback. Written on node:http because
 * every request decides on its own what goes wrong with it, down to the bytes of a broken stream.
 */
export interface ModelServer {
  /** Up to and including `/v1`. */
  baseUrl: string;
  /** Every request so far, oldest first. */
  journal: ModelRequest[];
  /** For all requests from now on; orders in a user's message go before it. */
  setBehaviour(behaviour: ModelBehaviour): void;
  /** Resolves when so many requests have come in. @throws Error after `timeoutMs` */
  waitForRequests(count: number, timeoutMs?: number): Promise<void>;
  /** Cuts what is open and frees the port. */
  stop(): Promise<void>;
}

/** A fixed manner, or one that depends on the request. */
export type ModelBehaviour = ModelOrders | ((request: ModelRequest) => ModelOrders);

export interface ModelServerOptions {
  port?: number;
  behaviour?: ModelBehaviour;
  /** Older entries are dropped. */
  journalLimit?: number;
}

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const state: ServerState = {
    behaviour: options.behaviour ?? {},
    journal: { entries: [], limit: options.journalLimit ?? 10_000, waiters: new Set() },
    faultsGiven: new Map(),
    outputs: { jobs: new Map(), jobsByKey: new Map() },
    holds: new Map(),
  };
  const server = createServer((request, response) => {
    handleRequest(state, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    journal: state.journal.entries,
    setBehaviour(behaviour) {
      state.behaviour = behaviour;
      state.faultsGiven.clear();
    },
    waitForRequests: (count, timeoutMs = 30_000) => waitForRequests(state.journal, count, timeoutMs),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface ServerState {
  behaviour: ModelBehaviour;
  journal: Journal;
  faultsGiven: Map<string, number>;
  outputs: OutputState;
  holds: Map<string, PromiseWithResolvers<void>>;
}

/** The same one for whoever comes first: who waits, or who lets go. */
function holdOf({ holds }: ServerState, name: string): PromiseWithResolvers<void> {
  const hold = holds.get(name) ?? Promise.withResolvers<void>();
  holds.set(name, hold);
  return hold;
}

async function handleRequest(state: ServerState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname: path } = new URL(request.url ?? "/", "http://127.0.0.1");
  const isSound = path === "/v1/audio/transcriptions";
  const bytes = await readBytes(request);
  if (path === "/journal") return sendJson(response, 200, state.journal.entries);
  if (path.startsWith("/release/")) {
    holdOf(state, path.slice("/release/".length)).resolve();
    return sendJson(response, 200, {});
  }
  if (path === "/v1/models") return sendJson(response, 200, { object: "list", data: [] });
  if (isOutputPath(path)) return handleOutput(state, request, response, path, bytes);
  if (request.method !== "POST" || !(isSound || path === "/v1/chat/completions")) {
    return sendJson(response, 404, { error: { message: "unknown path" } });
  }
  const body = isSound ? readSoundForm(bytes, request.headers["content-type"]) : parseJson(bytes);
  const entry = writeJournal(state.journal, request, path, body);
  response.on("close", () => {
    if (entry.outcome === "open") entry.outcome = "closed";
  });
  const orders = ordersFor(state, entry);
  const fault = takeFault(state, entry, orders);
  const { model, messages } = entry;
  const text = isSound ? (orders.answer ?? entry.lastUserText) : answerText(orders, entry.lastUserText);
  const hold = orders.holdName === undefined ? undefined : holdOf(state, orders.holdName).promise;
  const job = { response, orders, fault, model, messages, text, hold, ...(isSound && { whole: { text } }) };
  await sendAnswer(job, body, (outcome) => {
    entry.outcome = outcome;
  });
}

async function handleOutput(
  state: ServerState,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  bytes: Buffer,
): Promise<void> {
  const type = request.headers["content-type"] ?? "";
  const body = type.startsWith("multipart/") ? readSoundForm(bytes, type) : parseJson(bytes);
  const prompt = promptOf(state.outputs, path, body);
  const method = request.method ?? "GET";
  const entry = writeJournal(state.journal, request, path, { ...body, method, spoken: prompt });
  response.on("close", () => {
    if (entry.outcome === "open") entry.outcome = response.writableFinished ? "answered" : "closed";
  });
  const orders = ordersFor(state, entry);
  const fault = takeFault(state, entry, orders);
  if (fault?.kind === "hang") return;
  if (fault?.kind === "reset") return void response.socket?.resetAndDestroy();
  if (fault?.kind === "status") return sendFailure(response, fault);
  const key = request.headers["idempotency-key"];
  const baseUrl = `http://${request.headers.host}/v1`;
  const idempotencyKey = typeof key === "string" ? key : undefined;
  await sendOutput(
    response,
    { path, method, body, orders: { ...orders, fault }, idempotencyKey, baseUrl },
    state.outputs,
    prompt,
  );
}

function ordersFor(state: ServerState, entry: ModelRequest): ModelOrders {
  const base = typeof state.behaviour === "function" ? state.behaviour(entry) : state.behaviour;
  return { ...base, ...readOrders(entry.lastUserText) };
}

/** The fault that meets this request, with `faultTimes` counted by last user message. */
function takeFault(state: ServerState, entry: ModelRequest, orders: ModelOrders) {
  if (orders.fault === undefined || orders.faultTimes === undefined) return orders.fault;
  const given = state.faultsGiven.get(entry.lastUserText) ?? 0;
  state.faultsGiven.set(entry.lastUserText, given + 1);
  return given < orders.faultTimes ? orders.fault : undefined;
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parseJson(bytes: Buffer): Record<string, unknown> {
  return bytes.length === 0 ? {} : (JSON.parse(bytes.toString("utf8")) as Record<string, unknown>);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
