import { EventEmitter } from "node:events";
import { processSingleton } from "@/lib/process-singleton";

const wakeUps = processSingleton("outbox-wake", () => new EventEmitter());

/** Tells the relay of this process that a commit has left rows in the outbox. */
export function wakeRelay(): void {
  wakeUps.emit("wake");
}

/** Calls `listener` at each wake-up; returns how to stop that. */
export function onRelayWake(listener: () => void): () => void {
  wakeUps.on("wake", listener);
  return () => wakeUps.off("wake", listener);
}
