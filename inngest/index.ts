import { answerTurnFunction } from "@/inngest/functions/answer-turn";
import { bringBackTimesFunction } from "@/inngest/functions/bring-back-times";
import { deliverWebhookFunction } from "@/inngest/functions/deliver-webhook";
import { eraseAccountFunction } from "@/inngest/functions/erase-account";
import { eraseEndUserFunction } from "@/inngest/functions/erase-end-user";
import { expireSessionsFunction } from "@/inngest/functions/expire-sessions";
import { exportAccountFunction } from "@/inngest/functions/export-account";
import { exportEndUserFunction } from "@/inngest/functions/export-end-user";
import { finishVideoFunction } from "@/inngest/functions/finish-video";
import { sendChatMessageFunction } from "@/inngest/functions/send-chat-message";
import { sendMailFunction } from "@/inngest/functions/send-mail";
import { sweepAlertsFunction } from "@/inngest/functions/sweep-alerts";
import { sweepDeliveriesFunction } from "@/inngest/functions/sweep-deliveries";
import { sweepForgottenFunction } from "@/inngest/functions/sweep-forgotten";
import { sweepIdempotencyFunction } from "@/inngest/functions/sweep-idempotency";
import { sweepPeopleFunction } from "@/inngest/functions/sweep-people";
import { sweepRetentionFunction } from "@/inngest/functions/sweep-retention";
import { sweepTurnsFunction } from "@/inngest/functions/sweep-turns";
import { sweepUploadsFunction } from "@/inngest/functions/sweep-uploads";
import { updateMemoryFunction } from "@/inngest/functions/update-memory";

/** Every function that moves work along. */
export const functions = [
  answerTurnFunction,
  finishVideoFunction,
  deliverWebhookFunction,
  updateMemoryFunction,
  sendMailFunction,
  sendChatMessageFunction,
  exportEndUserFunction,
  exportAccountFunction,
  eraseEndUserFunction,
  eraseAccountFunction,
  expireSessionsFunction,
  sweepTurnsFunction,
  sweepDeliveriesFunction,
  sweepAlertsFunction,
  sweepForgottenFunction,
  bringBackTimesFunction,
  sweepUploadsFunction,
  sweepIdempotencyFunction,
  sweepPeopleFunction,
  sweepRetentionFunction,
];
