import { RetryAfterError } from "inngest";
import { inngest } from "@/inngest/client";
import type { ServiceEvents } from "@/inngest/events";
import { reasonOf } from "@/lib/ai/reason-of";
import { TurnError } from "@/lib/domain/turn-errors";
import { log } from "@/lib/log";
import { rememberTurn } from "@/lib/services/memory/remember-turn";

/** Answers come first: memory takes few places beside them. */
const CONCURRENCY = 10;
const RETRIES = 5;
const RETRY_DELAY_MS = 5_000;

/**
 * Brings an end user's profile up to date after a completed turn, one update at a time per end user. The turn has ended
 * before and is never touched: what fails here for good is a line in the log, and the next turn tells it again.
 */
export const updateMemoryFunction = inngest.createFunction(
  {
    id: "update-memory",
    triggers: [{ event: "memory/due" }],
    retries: RETRIES,
    concurrency: [{ limit: CONCURRENCY }, { key: "event.data.endUser", limit: 1 }],
  },
  async ({ event, step }) => {
    const { turnId } = event.data as ServiceEvents["memory/due"];
    return step.run("remember-turn", async () => {
      try {
        return await rememberTurn(turnId);
      } catch (error) {
        if (error instanceof TurnError && !error.isRetryable) {
          log("warn", "The memory of an end user was not updated.", {
            turnId,
            code: error.code,
            reason: reasonOf(error),
          });
          return "refused";
        }
        throw new RetryAfterError("The memory could not be updated", RETRY_DELAY_MS, { cause: error });
      }
    });
  },
);
