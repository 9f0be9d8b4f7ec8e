import { Client } from "pg";
import { KEPT_CONNECTION } from "@/lib/db/connection";
import { env } from "@/lib/env";

export interface ChannelListenerOptions {
  channel: string;
  onPayload(payload: string): void;
  /** Called when the connection is back after a break: notifications sent in between were missed. */
  onReconnect(): void;
  /** Whether anybody waits for notifications; else a broken connection stays away. */
  isNeeded(): boolean;
}

const RECONNECT_MS = 500;
const LISTEN_TIMEOUT_MS = 3_000;

/** One LISTEN connection of this process: made at the first need, and again by itself when the database is back. */
export class ChannelListener {
  readonly #options: ChannelListenerOptions;
  #client: Client | null = null;
  #connecting: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: ChannelListenerOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#client !== null;
  }

  /** Notifications of what commits after this resolves are not missed. */
  async connect(): Promise<void> {
    if (this.#client || this.#isClosed) return;
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = null;
    });
    await this.#connecting;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end().catch(() => {});
    this.#client = null;
  }

  async #open(): Promise<void> {
    const { channel, onPayload } = this.#options;
    const client = new Client({
      connectionString: env().DATABASE_URL,
      application_name: "service-listen",
      query_timeout: LISTEN_TIMEOUT_MS,
      ...KEPT_CONNECTION,
    });
    client.on("error", () => this.#lost(client));
    client.on("end", () => this.#lost(client));
    client.on("notification", ({ payload }) => onPayload(payload ?? ""));
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    if (this.#isClosed) await client.end();
    else this.#client = client;
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    const retry = () => {
      if (this.#isClosed || !this.#options.isNeeded()) return;
      this.connect().then(this.#options.onReconnect, () => setTimeout(retry, RECONNECT_MS).unref());
    };
    setTimeout(retry, RECONNECT_MS).unref();
  }
}
