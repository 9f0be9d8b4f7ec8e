import { LONGEST_HOLD_SECONDS } from "@/lib/ai/felt-limit";
import { LONGEST_RETRY_AFTER_SECONDS } from "@/lib/ai/retry-delay";
import { env } from "@/lib/env";
import { SHARE_OF_VIDEO_WAIT } from "@/lib/services/turns/outputs/follow-video";
import { queueSilenceSeconds } from "@/lib/services/turns/redispatch-turns";

const DAY_SECONDS = 86_400;

/**
 * Longer than anything waits in the queue, which knows not what for, in seconds: what is due later than so from now got its time
 * from a clock that was ahead. A day, which is many times what is built in, and what the settings ask for besides.
 */
export function longestWaitSeconds(): number {
  const { WEBHOOK_RETRY_DELAYS_SECONDS, MODEL_RETRY_DELAYS_SECONDS } = env();
  return DAY_SECONDS + Math.max(queueSilenceSeconds(), ...WEBHOOK_RETRY_DELAYS_SECONDS, ...MODEL_RETRY_DELAYS_SECONDS);
}

/** The longest that an open turn says beforehand it will show no sign of life, in seconds. */
export function longestSilenceSeconds(): number {
  const { MODEL_RETRY_DELAYS_SECONDS, VIDEO_POLL_SECONDS, VIDEO_TIMEOUT_SECONDS } = env();
  return Math.max(
    queueSilenceSeconds(),
    LONGEST_RETRY_AFTER_SECONDS,
    LONGEST_HOLD_SECONDS,
    ...MODEL_RETRY_DELAYS_SECONDS,
    VIDEO_POLL_SECONDS,
    VIDEO_TIMEOUT_SECONDS * SHARE_OF_VIDEO_WAIT,
  );
}
