import { ChannelListener } from "@/lib/db/channel-listener";
import { logDb } from "@/lib/db/pool";
import { processSingleton } from "@/lib/process-singleton";

/** The channel on which turns that were ended from outside are announced, by their ids. */
const TURN_STOPS_CHANNEL = "turn_stops";

/** A stop may arrive while the answer to the claim is still on its way to the worker: it is remembered this long. */
const REMEMBERED_MS = 10_000;

/** Tells the process that works on a turn, whichever it is, that the turn was ended; it also notices by itself, later. */
export async function announceTurnStop(turnId: string): Promise<void> {
  await logDb().query({
    name: "announce-stop",
    text: "SELECT pg_notify($1, $2)",
    values: [TURN_STOPS_CHANNEL, turnId],
  });
}

/** Hears of stops for all turns that this process works on, over one connection. */
class TurnStops {
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #recent = new Set<string>();
  readonly #channel = new ChannelListener({
    channel: TURN_STOPS_CHANNEL,
    onPayload: (turnId) => this.#stop(turnId),
    onReconnect: () => this.#lookAll(),
    isNeeded: () => this.#watchers.size > 0,
  });

  /**
   * Calls `look` when the turn may have been ended from outside: its worker looks whether it was.
   * @returns how to end that
   */
  watch(turnId: string, look: () => void): () => void {
    const watchers = this.#watchers.get(turnId) ?? new Set();
    this.#watchers.set(turnId, watchers.add(look));
    if (this.#recent.has(turnId)) queueMicrotask(look);
    // Without the connection the worker's own heartbeat notices. What was announced before it was there, was missed.
    if (!this.#channel.isConnected) this.#channel.connect().then(look, () => {});
    return () => {
      watchers.delete(look);
      if (watchers.size === 0 && this.#watchers.get(turnId) === watchers) this.#watchers.delete(turnId);
    };
  }

  async close(): Promise<void> {
    await this.#channel.close();
  }

  #stop(turnId: string): void {
    this.#recent.add(turnId);
    setTimeout(() => this.#recent.delete(turnId), REMEMBERED_MS).unref();
    for (const look of this.#watchers.get(turnId) ?? []) look();
  }

  #lookAll(): void {
    for (const watchers of this.#watchers.values()) for (const look of watchers) look();
  }
}

/** The stops that this process hears of. */
export function turnStops(): TurnStops {
  return processSingleton("turn-stops", () => new TurnStops());
}
