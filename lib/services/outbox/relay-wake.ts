import { EventEmitter } from "node:events";
import { processSingleton } from "@/lib/process-singleton";

/** An outbox row on its way to the queue; `id` makes handing it over twice harmless. */
export interface QueueEvent {
  id: string;
  name: string;
  data: Record<string, unknown>;
  /** Milliseconds since the epoch when the row was written, by the database's clock; absent for what was just committed. */
  ts?: number;
}

const wakeUps = processSingleton("outbox-wake", () => new EventEmitter());

/**
 * Tells the relay of this process that a commit has left rows in the outbox.
 * @param rows all of them, where they are known: they need not be looked for
 */
export function wakeRelay(rows?: QueueEvent[]): void {
  wakeUps.emit("wake", rows);
}

/** Calls `listener` at each wake-up; returns how to stop that. */
export function onRelayWake(listener: (rows?: QueueEvent[]) => void): () => void {
  wakeUps.on("wake", listener);
  return () => wakeUps.off("wake", listener);
}
