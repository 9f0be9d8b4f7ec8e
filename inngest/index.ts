import { answerTurnFunction } from "@/inngest/functions/answer-turn";
import { deliverWebhookFunction } from "@/inngest/functions/deliver-webhook";
import { expireSessionsFunction } from "@/inngest/functions/expire-sessions";
import { sweepDeliveriesFunction } from "@/inngest/functions/sweep-deliveries";
import { sweepIdempotencyFunction } from "@/inngest/functions/sweep-idempotency";
import { sweepTurnsFunction } from "@/inngest/functions/sweep-turns";
import { sweepUploadsFunction } from "@/inngest/functions/sweep-uploads";
import { updateMemoryFunction } from "@/inngest/functions/update-memory";

/** Every function that moves work along. */
export const functions = [
  answerTurnFunction,
  deliverWebhookFunction,
  updateMemoryFunction,
  expireSessionsFunction,
  sweepTurnsFunction,
  sweepDeliveriesFunction,
  sweepUploadsFunction,
  sweepIdempotencyFunction,
];
