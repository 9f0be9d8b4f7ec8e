import { processSingleton } from "./process-singleton.ts";

/**
 * How starting what works behind the server went. Next goes on without it when it fails: calls would be accepted that nobody ever
 * works on. The server that hosts Next waits for this before it listens, and ends when it failed.
 */
export function backgroundStart(): PromiseWithResolvers<{ failure: Error | null }> {
  return processSingleton("background-start", () => Promise.withResolvers<{ failure: Error | null }>());
}
