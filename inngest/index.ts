import { answerTurnFunction } from "@/inngest/functions/answer-turn";
import { deliverWebhookFunction } from "@/inngest/functions/deliver-webhook";

/** Every function that moves work along. */
export const functions = [answerTurnFunction, deliverWebhookFunction];
