/** Enough for a client that was just over a limit, little enough to be no way of keeping a server busy. */
export const DRAIN_MAX_BYTES = 64 * 1024 * 1024;
export const DRAIN_MAX_SECONDS = 10;

export interface DrainLimits {
  maxBytes?: number;
  maxSeconds?: number;
}

/**
 * Reads the rest of a request body and drops it, so that a client which is still sending gets to read an early
 * answer: a server that closes with unread bytes resets the connection, and the answer is lost with it.
 * Bounded: behind the limits the body is canceled, which closes the connection. Never rejects.
 */
export async function drainBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limits: DrainLimits = {},
): Promise<void> {
  const { maxBytes = DRAIN_MAX_BYTES, maxSeconds = DRAIN_MAX_SECONDS } = limits;
  const cancel = () => reader.cancel().catch(() => {});
  const timer = setTimeout(cancel, maxSeconds * 1000);
  timer.unref();
  try {
    for (let drained = 0; drained <= maxBytes; ) {
      const { value, done } = await reader.read();
      if (done) return;
      drained += value.byteLength;
    }
    await cancel();
  } catch {
    // The client is gone: nothing is left to read.
  } finally {
    clearTimeout(timer);
  }
}
