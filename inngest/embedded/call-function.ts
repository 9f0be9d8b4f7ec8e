import { Pool } from "undici";
import type { ClaimedItem } from "@/inngest/embedded/claim-items";
import { makeFailure, type Outcome, type Reply, readReply } from "@/inngest/embedded/read-reply";
import { canonicalJson, isSignatureValid, signBody } from "@/inngest/embedded/sign-request";

/** As long as Inngest itself lets one step run. */
const CALL_TIMEOUT_MS = 2 * 3_600_000;
const CONNECT_TIMEOUT_MS = 5_000;
const AWAY_CODES = new Set([
  "ECONNREFUSED",
  "UND_ERR_CONNECT_TIMEOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
]);
const TIMEOUT_CODES = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

/** Functions of this process, called without a connection. */
export type AnswerCall = (call: { url: string; headers: Record<string, string>; body: string }) => Promise<Reply>;

export interface FunctionCallerOptions {
  /** The app's serve endpoint. */
  serveUrl: string;
  signingKey: string;
  /** Connections at once. */
  connections: number;
  /** The same endpoint where it is in this process and there already: called without a connection. */
  ownAnswer?(): AnswerCall | undefined;
}

const HEADERS = { "content-type": "application/json", "x-inngest-server-kind": "cloud" };

/** Calls functions at one app's serve endpoint (SDK_SPEC §4.4). */
export class FunctionCaller {
  readonly #pool: Pool;
  readonly #origin: string;
  readonly #path: string;
  readonly #closed = Promise.withResolvers<never>();

  constructor(private readonly options: FunctionCallerOptions) {
    const url = new URL(options.serveUrl);
    this.#origin = url.origin;
    this.#path = `${url.pathname}${url.search}${url.search ? "&" : "?"}`;
    this.#closed.promise.catch(() => {});
    this.#pool = new Pool(url.origin, {
      connections: options.connections,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: CALL_TIMEOUT_MS,
      bodyTimeout: CALL_TIMEOUT_MS,
    });
  }

  /** Runs one item of a run, which fills in what came of it; never throws. */
  async call(item: ClaimedItem, maxAttempts: number): Promise<Outcome> {
    const body = buildCallBody(item, maxAttempts);
    const path = this.#path + new URLSearchParams({ fnId: item.functionId, stepId: item.stepId });
    try {
      const reply = await this.#ask(path, body);
      const signature = reply.headers["x-inngest-signature"];
      if (typeof signature === "string" && !isSignatureValid(signature, reply.body, this.options.signingKey)) {
        return { kind: "lost", reason: "the reply's signature is wrong" };
      }
      return readReply(reply);
    } catch (error) {
      return readConnectionError(error);
    }
  }

  async #ask(path: string, body: string): Promise<Reply> {
    const answer = this.options.ownAnswer?.();
    if (answer) {
      const call = answer({ url: this.#origin + path, headers: HEADERS, body });
      return Promise.race([call, this.#closed.promise]);
    }
    const headers = { ...HEADERS, "x-inngest-signature": signBody(body, this.options.signingKey) };
    const response = await this.#pool.request({ method: "POST", path, headers, body });
    return { status: response.statusCode, headers: response.headers, body: await response.body.text() };
  }

  /** Breaks off the calls under way. */
  close(): Promise<void> {
    this.#closed.reject(new Error("The runner stopped."));
    return this.#pool.destroy();
  }
}

/**
 * The call's body in canonical JSON: keys sorted, stored payloads put in as they are.
 * `fn_id` is left out on purpose, which switches the SDK's checkpointing off.
 */
export function buildCallBody(item: ClaimedItem, maxAttempts: number): string {
  const stack = item.memos.map(({ stepId }) => stepId);
  const ctx = canonicalJson({
    attempt: item.attempt,
    // All planned steps of a run are done before it is called again: what is found next may run at once.
    disable_immediate_execution: false,
    max_attempts: maxAttempts,
    run_id: item.runId,
    stack: { current: Math.max(0, stack.length - 1), stack },
    use_api: false,
  });
  const steps = [...item.memos]
    .sort((a, b) => (a.stepId < b.stepId ? -1 : 1))
    .map(({ stepId, output }) => `${JSON.stringify(stepId)}:${output}`);
  return `{"ctx":${ctx},"event":${item.event},"events":[${item.event}],"steps":{${steps.join(",")}},"use_api":false,"version":-1}`;
}

function readConnectionError(error: unknown): Outcome {
  const { code, message } = error as { code?: string; message?: string };
  const reason = code ?? message ?? "unknown";
  if (code !== undefined && AWAY_CODES.has(code)) return { kind: "away", reason };
  if (code !== undefined && TIMEOUT_CODES.has(code))
    return { kind: "failed", error: makeFailure("The call timed out."), isFinal: false };
  return { kind: "lost", reason };
}
