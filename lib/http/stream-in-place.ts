import { env } from "@/lib/env";
import { type EventSource, sseResponse } from "@/lib/http/sse";
import type { StreamPlace } from "@/lib/http/stream-places";

/**
 * Answers with a stream that has that place; 204 when there is nothing to stream. The place is free again once the stream ends,
 * or none came about.
 * @param signOfLifeSeconds when its reader wants one more often than STREAM_PING_SECONDS
 * @throws as `open` does
 */
export async function streamInPlace(
  place: StreamPlace,
  signal: AbortSignal,
  open: () => Promise<EventSource | null>,
  signOfLifeSeconds = Number.POSITIVE_INFINITY,
): Promise<Response> {
  let response: Response | undefined;
  try {
    const stream = await open();
    if (!stream) return new Response(null, { status: 204 });
    const pingSeconds = Math.min(env().STREAM_PING_SECONDS, signOfLifeSeconds);
    response = sseResponse(stream, { pingSeconds, signal, place });
    return response;
  } finally {
    if (!response) place.free();
  }
}
