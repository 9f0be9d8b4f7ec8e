import { env } from "@/lib/env";
import { type EventSource, sseResponse } from "@/lib/http/sse";
import type { StreamPlace } from "@/lib/http/stream-places";

/**
 * Answers with a stream that has that place; 204 when there is nothing to stream. The place is free again once the stream ends,
 * or none came about.
 * @throws as `open` does
 */
export async function streamInPlace(
  place: StreamPlace,
  signal: AbortSignal,
  open: () => Promise<EventSource | null>,
): Promise<Response> {
  let response: Response | undefined;
  try {
    const stream = await open();
    if (!stream) return new Response(null, { status: 204 });
    response = sseResponse(stream, { pingSeconds: env().STREAM_PING_SECONDS, signal, place });
    return response;
  } finally {
    if (!response) place.free();
  }
}
