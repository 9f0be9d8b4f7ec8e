import { setTimeout as delay } from "node:timers/promises";
import { processSingleton } from "@/lib/process-singleton";

/** As often as the embedded runner looks whether its own have ended. */
const POLL_MS = 10;
/** For answers still on their way when the connections are closed. */
const ON_THEIR_WAY_MS = 100;
/**
 * Long enough for the only process to be back: a call that finds nobody is repeated 30 to 60 s later. Less than after one that
 * was cut off, which Inngest repeats 15 to 45 s later.
 */
const RETRY_AFTER_SECONDS = "10";

/** How to answer each call of an Inngest outside of this process that has no answer yet. */
function handBacks(): Set<() => void> {
  return processSingleton("calls-under-way", () => new Set());
}

/** The answer to a call of the engine: the function's own, or that it be asked elsewhere when the process ends before. */
export async function answerBeforeStop(answer: Promise<Response>): Promise<Response> {
  const { promise: handedBack, resolve } = Promise.withResolvers<Response>();
  const handBack = () => resolve(new Response(null, { status: 503, headers: { "Retry-After": RETRY_AFTER_SECONDS } }));
  handBacks().add(handBack);
  try {
    return await Promise.race([answer, handedBack]);
  } finally {
    handBacks().delete(handBack);
  }
}

/** Waits for calls under way, and hands back those that take longer: what the embedded runner does with its own. */
export async function endCalls(graceMs: number): Promise<void> {
  if (handBacks().size === 0) return;
  const giveUpAt = performance.now() + graceMs;
  while (handBacks().size > 0 && performance.now() < giveUpAt) await delay(POLL_MS);
  for (const handBack of handBacks()) handBack();
  await delay(ON_THEIR_WAY_MS);
}
