import type { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";

/** A server that asks for a longer wait than this gets no second try. */
export const LONGEST_RETRY_AFTER_SECONDS = 300;

/** Whether a provider's limit refused a call that it may let through within minutes. */
export function isPassingLimit({ code, isRetryable, retryAfterSeconds = 0 }: TurnError): boolean {
  return code === "MODEL_RATE_LIMITED" && isRetryable && retryAfterSeconds <= LONGEST_RETRY_AFTER_SECONDS;
}

/**
 * Seconds until the model is asked again after a failure, on the schedule of the settings or when its server wants it; null when it
 * is not.
 * @param attempt 0 for the first
 */
export function retryDelay(error: TurnError, attempt: number): number | null {
  const delay = env().MODEL_RETRY_DELAYS_SECONDS[attempt];
  const wanted = error.retryAfterSeconds ?? 0;
  if (!error.isRetryable || delay === undefined || wanted > LONGEST_RETRY_AFTER_SECONDS) return null;
  return Math.max(delay, wanted);
}

/** As `LONGEST_RETRY_AFTER_SECONDS`: what a server does not ask for is not waited either. */
const LONGEST_LIMIT_DELAY_SECONDS = 300;
/** Queues try a step at most 20 times, and faults of ours need some of them. */
const MOST_DELAYS = 14;
/** Of a wait for a provider's limit, what is left out by chance, so that what waits does not come back at once. */
const JITTER = 0.5;
/** Of a wait that the provider asked for, how much is added by chance: what was refused in one moment would come back in one. */
const SPREAD = 0.2;

/**
 * Waits behind those of the settings while a provider's limit lasts, in seconds, before chance leaves out some of them: each twice the
 * one before, up to five minutes. With what is left out usually, together as long as the settings have patience (docs/decisions/0046).
 */
export function limitDelays(): number[] {
  const { MODEL_RETRY_DELAYS_SECONDS, MODEL_LIMIT_PATIENCE_SECONDS } = env();
  const delays: number[] = [];
  let left = MODEL_LIMIT_PATIENCE_SECONDS / (1 - JITTER / 2);
  let delay = 2 * Math.max(1, MODEL_RETRY_DELAYS_SECONDS.at(-1) ?? 1);
  while (MODEL_RETRY_DELAYS_SECONDS.length + delays.length < MOST_DELAYS) {
    delay = Math.min(delay, LONGEST_LIMIT_DELAY_SECONDS);
    if (delay > left) break;
    delays.push(delay);
    left -= delay;
    delay *= 2;
  }
  return delays;
}

export interface PatientOptions {
  /** How many of the attempts before a provider's limit refused, as far as that is known: what else fails has its own tries. */
  limitedTries?: number;
  /** At least 0, below 1. */
  random?: () => number;
}

/** The same as `retryDelay` for what nobody sits and waits for: a provider's limit on requests is waited out. */
export function patientDelay(
  error: TurnError,
  attempt: number,
  { limitedTries = 0, random = Math.random }: PatientOptions = {},
): number | null {
  const delays = limitDelays();
  const further = attempt - env().MODEL_RETRY_DELAYS_SECONDS.length;
  if (error.code !== "MODEL_RATE_LIMITED") {
    // Together no more than the queue has tries.
    return further < delays.length ? retryDelay(error, Math.max(0, attempt - limitedTries)) : null;
  }
  const delay = retryDelay(error, attempt) ?? limitDelay(error, delays[further], random);
  const wanted = error.retryAfterSeconds ?? 0;
  return delay !== null && delay === wanted ? wanted * (1 + SPREAD * (1 - random())) : delay;
}

function limitDelay(error: TurnError, delay: number | undefined, random: () => number): number | null {
  const wanted = error.retryAfterSeconds ?? 0;
  if (!error.isRetryable || delay === undefined || wanted > LONGEST_RETRY_AFTER_SECONDS) return null;
  return Math.max(wanted, delay * (1 - JITTER * random()));
}
