import { processSingleton } from "@/lib/process-singleton";

/** Kept by the process, whichever of its bundles asks. */
export interface Stopping {
  /** Set by scripts/serve.ts as soon as the process is told to stop. */
  isStopping: boolean;
  /** Called by scripts/serve.ts when nothing new is accepted any more. */
  listeners: Set<() => void>;
}

const stopping = () => processSingleton<Stopping>("stopping", () => ({ isStopping: false, listeners: new Set() }));

/** Whether this process was told to stop: it still answers, but new calls should go elsewhere. */
export function isStopping(): boolean {
  return stopping().isStopping;
}

/** Calls `listener` when the process takes nothing new any more and is about to end. @returns how to forget it */
export function onStopping(listener: () => void): () => void {
  const { listeners } = stopping();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
