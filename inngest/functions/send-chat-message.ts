import { inngest } from "@/inngest/client";
import type { ServiceEvents } from "@/inngest/events";
import { giveUpChatMessage, sendChatMessage } from "@/lib/services/alerts/send-chat-message";

/** More than an hour, with the growing waits between tries; what is older is hardly news. */
const RETRIES = 8;
/** Of all accounts: a chat that hangs holds its place for as long as a receiver may take. */
const CONCURRENCY = 20;

/** Hands one message of alerts to a team's chat. One that the queue has twice is tried once at a time, as mails are. */
export const sendChatMessageFunction = inngest.createFunction(
  {
    id: "send-chat-message",
    triggers: [{ event: "chat-message/ready" }],
    retries: RETRIES,
    concurrency: [{ limit: CONCURRENCY }, { key: "event.data.messageId", limit: 1 }],
    onFailure: async ({ event, step }) => {
      const { messageId } = event.data.event.data as ServiceEvents["chat-message/ready"];
      await step.run("give-up-chat-message", () => giveUpChatMessage(messageId));
    },
  },
  async ({ event, step }) => {
    const { messageId } = event.data as ServiceEvents["chat-message/ready"];
    return step.run("send-chat-message", () => sendChatMessage(messageId));
  },
);
