import { Client } from "pg";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/process-singleton";
import { SESSION_EVENTS_CHANNEL } from "@/lib/services/sessions/announce-event";

/** An announced event; `data` is null when it was too large to be announced whole. */
export interface AnnouncedEvent {
  sessionId: string;
  turnId: string;
  seq: number;
  type: string;
  data: string | null;
}

/** Called with an event, or with null when events may have been missed: look at the table. */
export type HubListener = (event: AnnouncedEvent | null) => void;

const RECONNECT_MS = 500;

/** One LISTEN connection per process, shared by all streams; it comes back by itself when the database does. */
class SessionHub {
  readonly #listeners = new Map<string, Set<HubListener>>();
  #client: Client | null = null;
  #connecting: Promise<void> | null = null;
  #isClosed = false;

  /** Listens to one session. Events committed after this resolves are not missed. */
  async subscribe(sessionId: string, listener: HubListener): Promise<() => void> {
    const set = this.#listeners.get(sessionId) ?? new Set();
    this.#listeners.set(sessionId, set.add(listener));
    try {
      await this.#connect();
    } catch (error) {
      this.#remove(sessionId, listener);
      throw error;
    }
    return () => this.#remove(sessionId, listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end().catch(() => {});
    this.#client = null;
  }

  #remove(sessionId: string, listener: HubListener): void {
    const set = this.#listeners.get(sessionId);
    set?.delete(listener);
    if (set?.size === 0) this.#listeners.delete(sessionId);
  }

  async #connect(): Promise<void> {
    if (this.#client || this.#isClosed) return;
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = null;
    });
    await this.#connecting;
  }

  async #open(): Promise<void> {
    const client = new Client({
      connectionString: env().DATABASE_URL,
      application_name: "service-listen",
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
    });
    client.on("error", () => this.#lost(client));
    client.on("end", () => this.#lost(client));
    client.on("notification", ({ payload }) => this.#dispatch(payload ?? ""));
    await client.connect();
    await client.query(`LISTEN ${SESSION_EVENTS_CHANNEL}`);
    this.#client = client;
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    const retry = () => {
      if (this.#isClosed || this.#listeners.size === 0) return;
      this.#connect().then(
        () => this.#wakeAll(),
        () => setTimeout(retry, RECONNECT_MS).unref(),
      );
    };
    setTimeout(retry, RECONNECT_MS).unref();
  }

  #dispatch(payload: string): void {
    const event = JSON.parse(payload) as AnnouncedEvent;
    for (const listener of this.#listeners.get(event.sessionId) ?? []) listener(event);
  }

  #wakeAll(): void {
    for (const set of this.#listeners.values()) for (const listener of set) listener(null);
  }
}

/** The hub of this process. */
export function sessionHub(): SessionHub {
  return processSingleton("session-hub", () => new SessionHub());
}
