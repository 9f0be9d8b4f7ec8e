/** Seconds after which somebody who was signed out or removed is given nothing more of an answer. */
const LOOK_SECONDS = 5;

/**
 * The same answer, which breaks off once whoever asked for it may not have it any more: a stream goes on for as long as the AI
 * works, and a download for as long as its reader likes. Whoever comes again is asked who they are.
 * @param isAllowed when it cannot tell, such as without a database, the answer goes on until the next look
 */
export function endWithPower(
  response: Response,
  isAllowed: () => Promise<boolean>,
  lookSeconds: number = LOOK_SECONDS,
): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(breakOff(response.body, isAllowed, lookSeconds * 1_000), { status, statusText, headers });
}

/** Holds nothing ahead, as what it reads from. */
function breakOff(
  body: ReadableStream<Uint8Array>,
  isAllowed: () => Promise<boolean>,
  lookMs: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let looks: NodeJS.Timeout | undefined;
  const rest = () => clearInterval(looks);
  const look = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (await isAllowed().catch(() => true)) return;
    rest();
    // Next takes this name for a connection that ended, which is no fault to be logged.
    const end = new DOMException("Its reader may not have it any more.", "AbortError");
    controller.error(end);
    await reader.cancel(end).catch(() => {});
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Not before it is read: of an answer to HEAD nobody ever reads the body, nor lets go of it.
        looks ??= setInterval(() => look(controller), lookMs).unref();
        try {
          const { value, done } = await reader.read();
          if (!done) return controller.enqueue(value);
          rest();
          controller.close();
        } catch (error) {
          rest();
          throw error;
        }
      },
      cancel(reason) {
        rest();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
