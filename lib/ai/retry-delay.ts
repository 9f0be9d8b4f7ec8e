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
 * is not. What a limit refused comes back some sooner and some later.
 * @param attempt 0 for the first
 * @param random at least 0, below 1
 */
export function retryDelay(error: TurnError, attempt: number, random = Math.random): number | null {
  const delay = env().MODEL_RETRY_DELAYS_SECONDS[attempt];
  const wanted = error.retryAfterSeconds ?? 0;
  if (!error.isRetryable || delay === undefined || wanted > LONGEST_RETRY_AFTER_SECONDS) return null;
  return error.code === "MODEL_RATE_LIMITED" ? scattered(delay, 1 + LATER, wanted, random) : Math.max(delay, wanted);
}

/** Of a wait for a provider's limit, how much is left out by chance, and how much is added to what it asks for, at most. */
const SOONER = 0.5;
const LATER = 0.2;

/** A wait by chance: what was refused in one moment would else come back in one, and most of it be refused again. */
function scattered(delay: number, longest: number, wanted: number, random: () => number): number {
  const chance = random();
  if (wanted > delay) return wanted * (1 + LATER * (1 - chance));
  return Math.max(wanted, delay * (longest - (longest - 1 + SOONER) * chance));
}

/** As `LONGEST_RETRY_AFTER_SECONDS`: what a server does not ask for is not waited either. */
const LONGEST_LIMIT_DELAY_SECONDS = 300;
/** Queues try a step at most 20 times, and faults of ours need some of them. */
const MOST_DELAYS = 14;
/**
 * Waits behind those of the settings while a provider's limit lasts, in seconds, before chance leaves out some of them: each twice the
 * one before, up to five minutes. With what is left out usually, together as long as the settings have patience (docs/decisions/0046).
 */
export function limitDelays(): number[] {
  const { MODEL_RETRY_DELAYS_SECONDS, MODEL_LIMIT_PATIENCE_SECONDS } = env();
  const delays: number[] = [];
  let left = MODEL_LIMIT_PATIENCE_SECONDS / (1 - SOONER / 2);
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
  const delay = retryDelay(error, attempt, random);
  if (delay !== null || !error.isRetryable) return delay;
  const wanted = error.retryAfterSeconds ?? 0;
  const limitDelay = delays[further];
  if (limitDelay === undefined || wanted > LONGEST_RETRY_AFTER_SECONDS) return null;
  return scattered(limitDelay, 1, wanted, random);
}
