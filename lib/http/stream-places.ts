import { AppError } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/process-singleton";

const RETRY_SECONDS = 5;

/** Open streams of this process, by key. */
const openStreams = () => processSingleton("stream-places", () => new Map<string, number>());

/**
 * Takes one of the streams that a key may have open in this process at once (STREAMS_PER_KEY).
 * @returns how to give it back; once is enough, and more does nothing
 * @throws AppError RATE_LIMITED
 */
export function takeStreamPlace(apiKeyId: string): () => void {
  const open = openStreams();
  const count = open.get(apiKeyId) ?? 0;
  const { STREAMS_PER_KEY: limit } = env();
  if (count >= limit) {
    throw new AppError(
      "RATE_LIMITED",
      `The key has ${limit} streams open, which is as many as it may. Close one, then try again.`,
      { retryAfterSeconds: RETRY_SECONDS },
    );
  }
  open.set(apiKeyId, count + 1);
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    const left = (open.get(apiKeyId) ?? 1) - 1;
    if (left > 0) open.set(apiKeyId, left);
    else open.delete(apiKeyId);
  };
}
