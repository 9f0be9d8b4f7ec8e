import { inngest } from "@/inngest/client";
import type { ServiceEvents } from "@/inngest/events";
import { deliverMail, giveUpMail } from "@/lib/services/mail/deliver-mail";

/** Some hours, with the growing waits between tries: a mail server may be away for a while. */
const RETRIES = 12;
const CONCURRENCY = 5;

/**
 * Hands one mail to the mail server. A mail that the queue has twice, because it seemed forgotten, is tried once at a time: a
 * slow first run is never overtaken, and the second finds the mail gone.
 */
export const sendMailFunction = inngest.createFunction(
  {
    id: "send-mail",
    triggers: [{ event: "mail/ready" }],
    retries: RETRIES,
    concurrency: [{ limit: CONCURRENCY }, { key: "event.data.mailId", limit: 1 }],
    onFailure: async ({ event, step }) => {
      const { mailId } = event.data.event.data as ServiceEvents["mail/ready"];
      await step.run("give-up-mail", () => giveUpMail(mailId));
    },
  },
  async ({ event, step }) => {
    const { mailId } = event.data as ServiceEvents["mail/ready"];
    return step.run("deliver-mail", () => deliverMail(mailId));
  },
);
