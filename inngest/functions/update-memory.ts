import { RetryAfterError } from "inngest";
import { inngest } from "@/inngest/client";
import type { ServiceEvents } from "@/inngest/events";
import { reasonOf } from "@/lib/ai/reason-of";
import { patientDelay } from "@/lib/ai/retry-delay";
import { TurnError } from "@/lib/domain/turn-errors";
import { log } from "@/lib/log";
import { rememberTurn } from "@/lib/services/memory/remember-turn";

/** Answers come first: memory takes few places beside them. */
const CONCURRENCY = 10;
/** As many as the waits for a model that limits requests may be, and one more. */
const RETRIES = 15;
const FAULT_DELAY_SECONDS = 5;

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
  async ({ event, attempt, step }) => {
    const { turnId } = event.data as ServiceEvents["memory/due"];
    return step.run("remember-turn", async () => {
      try {
        return await rememberTurn(turnId);
      } catch (error) {
        const delaySeconds = error instanceof TurnError ? patientDelay(error, attempt) : FAULT_DELAY_SECONDS;
        if (delaySeconds === null) {
          const { code } = error as TurnError;
          const reason = reasonOf(error as TurnError);
          log("warn", "The memory of an end user was not updated.", { turnId, code, reason });
          return "refused";
        }
        throw new RetryAfterError("The memory could not be updated", delaySeconds * 1_000, { cause: error });
      }
    });
  },
);
