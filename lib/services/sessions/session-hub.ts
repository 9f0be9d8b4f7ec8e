import { randomBytes } from "node:crypto";
import { ChannelListener } from "@/lib/db/channel-listener";
import { processSingleton } from "@/lib/process-singleton";

/** The channel on which new rows of the session event log are announced. */
export const SESSION_EVENTS_CHANNEL = "session_events";

/** This process as a sender on the channel: what it says itself, its own streams have heard already. */
export function announcer(): string {
  return processSingleton("session-announcer", () => randomBytes(9).toString("base64url"));
}

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

/**
 * One LISTEN connection per process, shared by all streams; it comes back by itself when the database does. What this process
 * writes goes to its own streams without the way through the database.
 */
class SessionHub {
  readonly #own = `{"from":"${announcer()}"`;
  readonly #listeners = new Map<string, Set<HubListener>>();
  readonly #channel = new ChannelListener({
    channel: SESSION_EVENTS_CHANNEL,
    onPayload: (payload) => this.#dispatch(payload),
    onReconnect: () => this.#wakeAll(),
    isNeeded: () => this.#listeners.size > 0,
  });

  /** Listens to one session. Events committed after this resolves are not missed. */
  async subscribe(sessionId: string, listener: HubListener): Promise<() => void> {
    const set = this.#listeners.get(sessionId) ?? new Set();
    this.#listeners.set(sessionId, set.add(listener));
    try {
      await this.#channel.connect();
    } catch (error) {
      this.#remove(sessionId, listener);
      throw error;
    }
    return () => this.#remove(sessionId, listener);
  }

  /** Hands on an event that this process has committed. */
  tell(event: AnnouncedEvent): void {
    for (const listener of this.#listeners.get(event.sessionId) ?? []) listener(event);
  }

  async close(): Promise<void> {
    await this.#channel.close();
  }

  #remove(sessionId: string, listener: HubListener): void {
    const set = this.#listeners.get(sessionId);
    set?.delete(listener);
    if (set?.size === 0) this.#listeners.delete(sessionId);
  }

  #dispatch(payload: string): void {
    if (!payload.startsWith(this.#own)) this.tell(JSON.parse(payload) as AnnouncedEvent);
  }

  #wakeAll(): void {
    for (const set of this.#listeners.values()) for (const listener of set) listener(null);
  }
}

/** The hub of this process. */
export function sessionHub(): SessionHub {
  return processSingleton("session-hub", () => new SessionHub());
}
