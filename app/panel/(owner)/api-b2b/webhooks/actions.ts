"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { resendInput, sendPastEventsInput, sendToReceiverInput } from "@/lib/contracts/deliveries";
import {
  createWebhookInput,
  rotateCallbackInput,
  rotateWebhookInput,
  saveWebhookInput,
  testWebhookInput,
  webhookInput,
} from "@/lib/contracts/webhooks";
import { panelAction } from "@/lib/panel/panel-action";
import { resendForPerson } from "@/lib/services/deliveries/resend-delivery";
import { resendFailedDeliveries } from "@/lib/services/deliveries/resend-failed-deliveries";
import { sendPastEvents } from "@/lib/services/deliveries/send-past-events";
import { sendToReceiver } from "@/lib/services/deliveries/send-to-receiver";
import { createOnce } from "@/lib/services/idempotency/create-once";
import { rotateCallbackSecret as rotateProjectSecret } from "@/lib/services/projects/rotate-callback-secret";
import { showCallbackSecret as showProjectSecret } from "@/lib/services/projects/show-callback-secret";
import { createWebhook as create } from "@/lib/services/webhooks/create-webhook";
import { deleteWebhook as remove } from "@/lib/services/webhooks/delete-webhook";
import { reactivateWebhook } from "@/lib/services/webhooks/reactivate-webhook";
import { rotateWebhookSecret } from "@/lib/services/webhooks/rotate-webhook-secret";
import { showWebhookSecret } from "@/lib/services/webhooks/show-webhook-secret";
import { testWebhook } from "@/lib/services/webhooks/test-webhook";
import { saveWebhook as save, updateWebhook as update } from "@/lib/services/webhooks/update-webhook";

const PATH = "/panel/api-b2b/webhooks";

/** The list, the pages of webhooks below it, and the number of alerts in the shell. */
function redraw() {
  revalidatePath(PATH, "layout");
}

/** Registers a receiver; the answer holds its secret. The list is drawn again when the reader has kept that. */
export const createWebhook = panelAction(
  "webhooks.create",
  createWebhookInput,
  async ({ actor, principal }, { attempt, ...input }) => {
    const { id, secret } = await createOnce(principal, attempt, input, (claim) =>
      create(principal, { ...input, active: true }, actor, claim),
    );
    return { id, secret };
  },
);

/** Changes address and events. */
export const saveWebhook = panelAction(
  "webhooks.update",
  saveWebhookInput,
  async ({ actor, principal }, { webhookId, ...input }) => {
    const result = await save(actor, principal, webhookId, input);
    if (result.outcome === "saved") redraw();
    return result;
  },
);

/** Sends nothing more to a receiver until it is switched on again. */
export const switchOff = panelAction("webhooks.update", webhookInput, async ({ actor, principal }, { webhookId }) => {
  await update(actor, principal, webhookId, { active: false });
  redraw();
  return null;
});

/** Sends events again, after a failure or a switch-off; ends the alert. */
export const switchOn = panelAction(
  "webhooks.reactivate",
  webhookInput,
  async ({ actor, principal }, { webhookId }) => {
    await reactivateWebhook(actor, principal, webhookId);
    redraw();
    return null;
  },
);

/** Removes a registration with its secrets. Draws nothing: the page that it was on is gone, the reader goes to the list. */
export const deleteWebhook = panelAction(
  "webhooks.delete",
  webhookInput,
  async ({ actor, principal }, { webhookId }) => {
    await remove(actor, principal, webhookId);
    return null;
  },
);

export const showSecret = panelAction("webhooks.secret.show", webhookInput, ({ actor, principal }, { webhookId }) =>
  showWebhookSecret(actor, principal, webhookId),
);

export const rotateSecret = panelAction(
  "webhooks.secret.rotate",
  rotateWebhookInput,
  ({ actor, principal }, { webhookId, seen }) => rotateWebhookSecret(actor, principal, webhookId, { seen }),
);

/** The secret that signs what goes to the `callbackUrl` of calls. */
export const showCallbackSecret = panelAction("webhooks.secret.show", z.undefined(), ({ actor, principal }) =>
  showProjectSecret(actor, principal),
);

export const rotateCallbackSecret = panelAction(
  "webhooks.secret.rotate",
  rotateCallbackInput,
  ({ actor, principal }, { seen }) => rotateProjectSecret(actor, principal, { seen }),
);

/** Sends a test event; its delivery says how it went. */
export const sendTest = panelAction(
  "webhooks.test",
  testWebhookInput,
  async ({ actor, principal }, { webhookId, attempt }) => {
    const { deliveryId } = await createOnce(principal, attempt, { webhookId }, (claim) =>
      testWebhook(principal, webhookId, claim, actor),
    );
    redraw();
    return { deliveryId };
  },
);

/** Begins a new round of attempts with the same bytes. */
export const resendOne = panelAction(
  "deliveries.resend",
  resendInput,
  async ({ actor, principal }, { deliveryId, round }) => {
    await resendForPerson(actor, principal, deliveryId, round);
    redraw();
    return null;
  },
);

/** The same for everything that a receiver did not get. */
export const resendFailed = panelAction(
  "deliveries.resend",
  webhookInput,
  async ({ actor, principal }, { webhookId }) => {
    const count = await resendFailedDeliveries(principal, webhookId, { actor });
    redraw();
    return count;
  },
);

/** Sends the event of a delivery to another receiver too; its delivery there says how it went. */
export const sendElsewhere = panelAction(
  "deliveries.resend",
  sendToReceiverInput,
  async ({ actor, principal }, input) => {
    const sent = await sendToReceiver(actor, principal, input);
    redraw();
    return sent;
  },
);

/** Sends a receiver what went to others alone. */
export const sendPast = panelAction(
  "deliveries.resend",
  sendPastEventsInput,
  async ({ actor, principal }, { webhookId, ...span }) => {
    const count = await sendPastEvents(actor, principal, webhookId, span);
    redraw();
    return count;
  },
);
