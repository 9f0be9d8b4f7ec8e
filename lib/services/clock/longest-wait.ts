import { env } from "@/lib/env";
import { queueSilenceSeconds } from "@/lib/services/turns/redispatch-turns";

const DAY_SECONDS = 86_400;

/**
 * Longer than anything waits here, in seconds: a try, a lock, a lease or a sign of life that is due later than so from now got
 * its time from a clock that was ahead. A day, which is many times what is built in, and what the settings ask for besides.
 */
export function longestWaitSeconds(): number {
  const { WEBHOOK_RETRY_DELAYS_SECONDS, MODEL_RETRY_DELAYS_SECONDS } = env();
  return DAY_SECONDS + Math.max(queueSilenceSeconds(), ...WEBHOOK_RETRY_DELAYS_SECONDS, ...MODEL_RETRY_DELAYS_SECONDS);
}
