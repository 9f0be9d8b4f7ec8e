import { ChannelListener } from "@/lib/db/channel-listener";
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

/** One LISTEN connection per process, shared by all streams; it comes back by itself when the database does. */
class SessionHub {
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

  async close(): Promise<void> {
    await this.#channel.close();
  }

  #remove(sessionId: string, listener: HubListener): void {
    const set = this.#listeners.get(sessionId);
    set?.delete(listener);
    if (set?.size === 0) this.#listeners.delete(sessionId);
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
