import { inngest } from "@/inngest/client";
import { runParts } from "@/inngest/functions/run-parts";
import { redispatchChatMessages } from "@/lib/services/alerts/redispatch-chat-messages";
import { redispatchDataRequests } from "@/lib/services/data-rights/redispatch-data-requests";
import { redispatchMails } from "@/lib/services/mail/redispatch-mails";

/**
 * Every hour: mails, messages to chats, exports and erasures that the queue has forgotten are handed to it again. Turns and deliveries, which
 * somebody waits for and which say when they were last worked on, have sweeps every minute.
 */
export const sweepForgottenFunction = inngest.createFunction(
  { id: "sweep-forgotten", triggers: [{ cron: "53 * * * *" }], retries: 0, concurrency: [{ limit: 1 }] },
  ({ step }) =>
    runParts(step, [
      ["redispatch-mails", () => redispatchMails()],
      ["redispatch-chat-messages", () => redispatchChatMessages()],
      ["redispatch-data-requests", () => redispatchDataRequests()],
    ]),
);
