import type { z } from "zod";
import { type JsonSchema, toJsonSchema } from "@/lib/contracts/json-schema";
import {
  completionEvent,
  errorEvent,
  SAMPLE_EVENTS,
  sessionStartedEvent,
  sessionTimeoutEvent,
  tokensExceededEvent,
} from "@/lib/contracts/webhook-events";
import { WEBHOOK_EVENTS, type WebhookEventKind } from "@/lib/domain/webhook-events";

interface EventDefinition {
  /** Of its body among the document's schemas. */
  schemaName: string;
  schema: z.ZodType;
  operationId: string;
  summary: string;
}

const EVENTS: Record<WebhookEventKind, EventDefinition> = {
  completion: {
    schemaName: "CompletionEvent",
    schema: completionEvent,
    operationId: "onCompletion",
    summary: "The AI finished: `output` holds the answer, or `downloadUrl` leads to it.",
  },
  error: {
    schemaName: "ErrorEvent",
    schema: errorEvent,
    operationId: "onError",
    summary: "A turn failed for good: `error` and `errorCode` say why.",
  },
  "session.started": {
    schemaName: "SessionStartedEvent",
    schema: sessionStartedEvent,
    operationId: "onSessionStarted",
    summary: "A new session was created.",
  },
  "session.timeout": {
    schemaName: "SessionTimeoutEvent",
    schema: sessionTimeoutEvent,
    operationId: "onSessionTimeout",
    summary: "A session expired after two hours without activity.",
  },
  "tokens.exceeded": {
    schemaName: "TokensExceededEvent",
    schema: tokensExceededEvent,
    operationId: "onTokensExceeded",
    summary: "The plan's tokens of this month are used up.",
  },
};

const DESCRIPTION =
  "Sent to the receivers that are registered for it; `completion` and `error` to a call's `callbackUrl` as well. Verify the signature over the raw bytes before you parse them, and process each `X-Service-Delivery` once.";

const HEADERS: [name: string, description: string][] = [
  ["X-Service-Signature", "HMAC-SHA256 of the raw body in hex; the key is the secret as shown."],
  ["X-Service-Event", "The event, as `type` in the body."],
  ["X-Service-Delivery", "A UUID, the same for every try of a delivery."],
  ["webhook-id", "The same UUID, as Standard Webhooks names it."],
  ["webhook-timestamp", "When this try was sent, in seconds since 1970."],
  [
    "webhook-signature",
    "`v1,` and a signature as Standard Webhooks has it; one entry per secret, with spaces between.",
  ],
];

/** The deliveries that receivers get, for generators that make types of them; puts their bodies into `schemas`. */
export function makeWebhooks(schemas: Record<string, JsonSchema>): JsonSchema {
  return Object.fromEntries(
    WEBHOOK_EVENTS.map((kind) => {
      Object.assign(schemas, bodyOf(EVENTS[kind]));
      return [kind, { post: operation(kind, EVENTS[kind]) }];
    }),
  );
}

function bodyOf({ schemaName, schema }: EventDefinition): Record<string, JsonSchema> {
  const { schema: made, definitions } = toJsonSchema(schema, "output", "#/components/schemas/");
  // Receivers shall not refuse a field that comes to be later.
  const { additionalProperties: _closed, ...open } = made;
  return { ...definitions, [schemaName]: open };
}

function operation(kind: WebhookEventKind, { schemaName, operationId, summary }: EventDefinition): JsonSchema {
  return {
    operationId,
    tags: ["Webhooks"],
    summary,
    description: DESCRIPTION,
    security: [],
    parameters: HEADERS.map(([name, description]) => ({
      name,
      in: "header",
      required: true,
      description,
      schema: { type: "string" },
    })),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${schemaName}` },
          example: SAMPLE_EVENTS[kind],
        },
      },
    },
    responses: {
      "2XX": { description: "Received. Answer within five seconds, then work." },
      "4XX": {
        description: "Not received, such as 401 for a wrong signature: the delivery is tried again, five times in all.",
      },
    },
  };
}
