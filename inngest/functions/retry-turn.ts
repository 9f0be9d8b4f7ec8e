import { RetryAfterError } from "inngest";
import { log } from "@/lib/log";

const LONGEST_FAULT_DELAY_MS = 30_000;

/** One call of a function that works on a turn. */
export interface TurnCall {
  turnId: string;
  /** From 0. */
  attempt: number;
}

/**
 * A fault of ours, mostly the database: try again soon, on the same schedule whichever engine runs this.
 * @throws RetryAfterError when the work failed
 */
export async function retryingFaults<T>({ turnId, attempt }: TurnCall, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    log("warn", "A turn met a fault of the service; it is tried again.", { turnId, attempt }, error);
    throw new RetryAfterError("A fault of the service", faultDelayMs(attempt), { cause: error });
  });
}

/**
 * What the model's failure asks for becomes the engine's own retry.
 * @throws RetryAfterError when the work failed, or asks for another attempt
 */
export async function retryingModel<T extends { status: string }>(
  call: TurnCall,
  work: Promise<T>,
): Promise<T["status"]> {
  const outcome: { status: string; delaySeconds?: number; reason?: string } = await retryingFaults(call, work);
  if (outcome.status !== "retry") return outcome.status;
  throw new RetryAfterError(outcome.reason ?? "", (outcome.delaySeconds ?? 0) * 1_000);
}

function faultDelayMs(attempt: number): number {
  return Math.min(1_000 * 2 ** attempt, LONGEST_FAULT_DELAY_MS);
}
