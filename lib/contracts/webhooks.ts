import { z } from "zod";
import { attemptField } from "@/lib/contracts/edit-base";
import { defineEndpoint } from "@/lib/contracts/endpoint-definition";
import * as fields from "@/lib/contracts/fields";
import { isId } from "@/lib/domain/ids";
import { MAX_WEBHOOKS } from "@/lib/domain/limits";
import { MAX_RECEIVER_URL_CHARACTERS } from "@/lib/domain/receiver-url";
import { WEBHOOK_EVENTS } from "@/lib/domain/webhook-events";

/** Webhook registrations (§2.5, §4.8, contract §8). */

export const WEBHOOK_STATUSES = ["active", "inactive", "failed"] as const;

const MAX_EVENT_NAMES = 100;

/** The receiver's address; that it is HTTPS and public is checked by the service (URL_NOT_HTTPS, URL_NOT_ALLOWED). */
const urlField = z
  .string()
  .min(1)
  .max(MAX_RECEIVER_URL_CHARACTERS)
  .meta({
    description: "HTTPS address of the receiver.",
    format: "uri",
    examples: ["https://client.example/webhooks"],
  });

const eventNames = z.array(z.enum(WEBHOOK_EVENTS)).min(1);

/** At least one known kind; a name that is there twice counts once. */
const eventsField = eventNames
  .max(MAX_EVENT_NAMES)
  .transform((events) => [...new Set(events)])
  .meta({ description: "Kinds of events to send." });

export const createWebhookBody = z.strictObject({
  url: urlField,
  events: eventsField,
  active: z.boolean().default(true).meta({ description: "Whether events are sent from now on." }),
});

/** A change of a registration: the fields that it names. */
export const updateWebhookBody = z
  .strictObject({ url: urlField, events: eventsField, active: z.boolean() })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, "must name at least one field to change");

const webhookId = z.string().refine((text) => isId("webhook", text), "is not the id of a webhook");

/** What the panel's actions take. */
export const createWebhookInput = z.strictObject({ url: urlField, events: eventsField, attempt: attemptField });
/** With what the form began with, so that nothing that others saved meanwhile is undone unseen. */
export const saveWebhookInput = z.strictObject({
  webhookId,
  url: urlField,
  events: eventsField,
  began: z.strictObject({ url: z.string(), events: z.array(z.string()) }),
});
export const webhookInput = z.strictObject({ webhookId });
export const testWebhookInput = webhookInput.extend({ attempt: attemptField });
/** With the end of the overlap that its reader saw; null: there was no rotation. */
export const rotateCallbackInput = z.strictObject({ seen: z.string().max(40).nullish() });
export const rotateWebhookInput = rotateCallbackInput.extend({ webhookId });

/** A registration, without its secret. */
export const webhook = z
  .object({
    id: z.string().meta({ examples: ["whk_01k8z3v5n6f0mve1q5t9d2x7ab"] }),
    partnerId: z.string().meta({ description: "The account." }),
    url: z.string(),
    events: eventNames,
    active: z.boolean().meta({ description: "As its owner switched it." }),
    status: z.enum(WEBHOOK_STATUSES).meta({
      description: "`failed` after five failed attempts of a delivery, until its owner switches it on again.",
    }),
    createdAt: fields.timestamp("When it was registered."),
    updatedAt: fields.timestamp("Last change."),
    lastDeliveryAt: fields.timestamp("Last delivery that arrived; null before the first.").nullable(),
  })
  .meta({ id: "Webhook" });

export const createdWebhook = webhook
  .extend({
    secret: z
      .string()
      .meta({ description: "Signs the deliveries. Shown here; the panel can show it again and rotate it." }),
  })
  .meta({ id: "CreatedWebhook" });

export const testWebhookResponse = z
  .object({
    deliveryId: z.string().meta({ description: "Find it in the panel's deliveries." }),
    event: z.enum(WEBHOOK_EVENTS),
  })
  .meta({ id: "TestWebhookResponse" });

export type CreateWebhookBody = z.output<typeof createWebhookBody>;
export type UpdateWebhookBody = z.output<typeof updateWebhookBody>;
export type CreateWebhookInput = z.input<typeof createWebhookInput>;
export type SaveWebhookInput = z.input<typeof saveWebhookInput>;
export type Webhook = z.output<typeof webhook>;
export type CreatedWebhook = z.output<typeof createdWebhook>;
export type TestWebhookResponse = z.output<typeof testWebhookResponse>;

const WEBHOOK_EXAMPLE = {
  id: "whk_01k8z3v5n6f0mve1q5t9d2x7ab",
  partnerId: "acc_01k8z3v5n6f0mve1q5t9d2x7ab",
  url: "https://client.example/webhooks",
  events: ["completion", "error"],
  active: true,
  status: "active",
  createdAt: "2026-01-31T09:30:00.000Z",
  updatedAt: "2026-01-31T09:30:00.000Z",
  lastDeliveryAt: null,
} as const;

export const createWebhookEndpoint = defineEndpoint({
  method: "POST",
  path: "/b2b/partners/:partnerId/webhooks",
  root: "host",
  operationId: "createWebhook",
  isIdempotent: true,
  tags: ["Webhooks"],
  summary: "Register a receiver for events of the key's project.",
  description: `Deliveries are signed with \`secret\`: HMAC-SHA256 of the raw body, in \`X-Service-Signature\`. A project has at most ${MAX_WEBHOOKS} registrations; one more is a 400 VALIDATION_FAILED, and the panel deletes and changes them.`,
  auth: "key",
  permission: null,
  params: z.object({ partnerId: fields.idParam("account", "The partner", "Your account's id.") }),
  body: {
    kind: "json",
    schema: createWebhookBody,
    example: { url: WEBHOOK_EXAMPLE.url, events: WEBHOOK_EXAMPLE.events, active: true },
  },
  response: {
    status: 201,
    description: "The registration with its secret.",
    schema: createdWebhook,
    example: { ...WEBHOOK_EXAMPLE, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=" },
  },
  errors: ["URL_NOT_HTTPS", "URL_NOT_ALLOWED", "NOT_FOUND"],
});

export const testWebhookEndpoint = defineEndpoint({
  method: "POST",
  path: "/b2b/webhooks/:webhookId/test",
  root: "host",
  operationId: "testWebhook",
  tags: ["Webhooks"],
  summary: "Send a mock event to a receiver.",
  description:
    'Sends a `completion` event marked `"test": true`, signed as every delivery, once, also to a receiver that is switched off.',
  auth: "key",
  permission: null,
  params: z.object({ webhookId: fields.idParam("webhook", "The webhook", "Webhook identifier.") }),
  response: {
    status: 202,
    description: "The event is on its way.",
    schema: testWebhookResponse,
    example: { deliveryId: "dlv_01k8z3v5n6f0mve1q5t9d2x7ab", event: "completion" },
  },
  isIdempotent: true,
  errors: ["NOT_FOUND"],
});
