import { limitParallel } from "@/lib/limit-parallel";
import { processSingleton } from "@/lib/process-singleton";

/** Some tens of milliseconds of the thread, and as many of a connection to the database: what a call of so much takes at least. */
export const LARGE_BODY_BYTES = 1024 * 1024;
/** Of the connections that calls share, most stay with those that are done in a millisecond. */
export const MAX_LARGE_BODIES = 3;

/**
 * Waits until there is room to work on a body. Dozens of 10 MB that came together held the thread for seconds and had all
 * connections of the process, and every other call was told that the service is away. Smaller ones wait for nothing.
 * @param accountId whose call it is, so that one account's many keep no other's waiting
 * @returns gives the place back, once the call is answered
 */
export async function takeLargeBody(bytes: number, accountId: string): Promise<() => void> {
  if (bytes <= LARGE_BODY_BYTES) return () => {};
  const begun = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const work = () => {
    begun.resolve();
    return answered.promise;
  };
  void processSingleton("large-bodies", () => limitParallel(MAX_LARGE_BODIES))(work, { lane: accountId });
  await begun.promise;
  return answered.resolve;
}
