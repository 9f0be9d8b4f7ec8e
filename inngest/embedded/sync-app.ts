import { Agent, request } from "undici";
import { reconnectDelayMs } from "@/inngest/embedded/backoff";
import { pause } from "@/inngest/embedded/database";
import type { Log } from "@/inngest/embedded/log";
import { signBody } from "@/inngest/embedded/sign-request";

/** How often a running app is asked again, to notice functions that changed. */
const RESYNC_MS = 30_000;
/** An app that stayed this long counts as there to stay. */
const STEADY_MS = 5_000;
/** An app in development may compile its serve endpoint first. */
const SYNC_TIMEOUT_MS = 120_000;

export interface AppSyncOptions {
  serveUrl: string;
  signingKey: string;
  log: Log;
  /** Whether any app's registration has arrived. */
  isRegistered(): boolean;
  /** Called when the app is there after it was not. */
  onThere(): void;
}

/** Keeps asking one app to register its functions (SDK_SPEC §4.3), and knows whether it is there. */
export class AppSync {
  /** False until the first sync and from a refused connection to the next sync. */
  isAppThere = false;

  readonly #stopping = new AbortController();
  readonly #agent = new Agent({ headersTimeout: SYNC_TIMEOUT_MS, bodyTimeout: SYNC_TIMEOUT_MS });
  #wait = new AbortController();
  #refusal: Error | undefined;
  #problem: string | undefined;
  #waiters: { resolve: () => void; reject: (error: Error) => void }[] = [];
  #done: Promise<void> | undefined;

  constructor(private readonly options: AppSyncOptions) {}

  start(): void {
    this.#done = this.#loop();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wait.abort();
    await this.#agent.destroy();
    await this.#done;
  }

  /** The app refused a connection: nothing is called until it answers again. */
  markAway(reason: string): void {
    if (this.isAppThere) this.options.log("warn", "The app is away", { reason });
    this.isAppThere = false;
    this.#wait.abort();
  }

  /**
   * Resolves once the app's functions are registered.
   * @throws Error when the app asks for what this runner does not support.
   */
  ready(): Promise<void> {
    if (this.#refusal) return Promise.reject(this.#refusal);
    if (this.isAppThere) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  async #loop(): Promise<void> {
    let tries = 0;
    while (!this.#stopping.signal.aborted) {
      this.#wait = new AbortController();
      const startedAt = performance.now();
      if (await this.#sync()) await pause(this.#stopping.signal.aborted ? 0 : RESYNC_MS, this.#wait.signal);
      // An app that answers syncs but refuses calls is not asked in a tight circle.
      if (performance.now() - startedAt > STEADY_MS) tries = 0;
      if (!this.isAppThere) await pause(reconnectDelayMs(tries++), this.#stopping.signal);
    }
  }

  /** Whether the app answered for itself. */
  async #sync(): Promise<boolean> {
    try {
      const { statusCode, body } = await request(this.options.serveUrl, {
        method: "PUT",
        dispatcher: this.#agent,
        headers: { "x-inngest-server-kind": "cloud", "x-inngest-signature": signBody("", this.options.signingKey) },
        signal: this.#stopping.signal,
      });
      const text = await body.text();
      if (statusCode !== 200 && statusCode !== 400) throw new Error(`sync answered ${statusCode}: ${messageOf(text)}`);
      if (statusCode === 200 && !this.options.isRegistered()) {
        throw new Error(
          "the app registered with another Inngest server; its INNGEST_BASE_URL must be this runner's address",
        );
      }
      this.#onAnswer(statusCode === 200 ? undefined : new Error(messageOf(text)));
      return true;
    } catch (error) {
      // Said once, not at each try; an app that is still starting is nothing to speak of.
      const problem = String(error);
      const isNews = problem !== this.#problem;
      this.#problem = problem;
      if (isNews && !this.#stopping.signal.aborted)
        this.options.log(problem.includes("ECONNREFUSED") ? "debug" : "warn", "The app does not register", {
          reason: problem,
        });
      this.isAppThere = false;
      return false;
    }
  }

  #onAnswer(refusal: Error | undefined): void {
    if (refusal && refusal.message !== this.#refusal?.message) this.options.log("error", refusal.message);
    this.#refusal = refusal;
    this.#problem = undefined;
    // A refused registration leaves the former one in force: its runs go on.
    const wasThere = this.isAppThere;
    this.isAppThere = true;
    for (const { resolve, reject } of this.#waiters.splice(0)) refusal ? reject(refusal) : resolve();
    if (!wasThere) this.options.onThere();
  }
}

function messageOf(text: string): string {
  try {
    return String((JSON.parse(text) as { message?: unknown }).message ?? text);
  } catch {
    return text.slice(0, 200);
  }
}
