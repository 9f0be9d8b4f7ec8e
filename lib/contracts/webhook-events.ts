import { z } from "zod";
import { outputCutField } from "@/lib/contracts/context-receipt";
import { OUTPUT_TYPES, SESSION_STATUSES } from "@/lib/domain/session-status";
import type { WebhookEventKind } from "@/lib/domain/webhook-events";

/** The bodies of webhook and callback deliveries, one per event kind (§6.2, contract §8). Absent values are null. */

const time = z.iso.datetime({ precision: 3 });
const count = z.int().nonnegative();

/** Fields of every kind. */
const common = {
  sessionId: z.string().nullable(),
  endUserId: z.string().nullable(),
  templateId: z
    .string()
    .nullable()
    .meta({ description: "Of the turn that the event is about; of `session.timeout` the session's." }),
  reference: z
    .string()
    .optional()
    .meta({ description: "Your own, when the call sent one, or an earlier call of its session." }),
  timestamp: time,
  test: z
    .literal(true)
    .optional()
    .meta({ description: "Only in deliveries that a person asked for to try a receiver out." }),
};
const status = z.enum(SESSION_STATUSES).nullable();

export const completionEvent = z.strictObject({
  type: z.literal("completion"),
  ...common,
  output: z.string(),
  status: z.literal("completed"),
  creditsUsed: count,
  tokensIn: count,
  tokensOut: count,
  outputType: z.enum(OUTPUT_TYPES),
  downloadUrl: z.url().nullable(),
  outputCut: outputCutField,
});

export const errorEvent = z.strictObject({
  type: z.literal("error"),
  ...common,
  status,
  error: z.string(),
  errorCode: z.string(),
});

export const sessionStartedEvent = z.strictObject({ type: z.literal("session.started"), ...common, status });

export const sessionTimeoutEvent = z.strictObject({
  type: z.literal("session.timeout"),
  ...common,
  status,
  lastActivityAt: time,
});

export const tokensExceededEvent = z.strictObject({
  type: z.literal("tokens.exceeded"),
  ...common,
  status,
  tokensUsed: count,
  tokenLimit: count,
  periodEnd: time,
});

/** Any body that the service sends to a receiver. */
export const webhookPayload = z.discriminatedUnion("type", [
  completionEvent,
  errorEvent,
  sessionStartedEvent,
  sessionTimeoutEvent,
  tokensExceededEvent,
]);

export type WebhookPayload = z.infer<typeof webhookPayload>;

const sampleCommon = {
  sessionId: "ses_01j9zq4m7tf0b8x2c5n6v3k1hd",
  endUserId: "customer-42",
  templateId: null,
  timestamp: "2026-01-31T09:30:00.000Z",
};

/** One example per kind: for the documents, for test sends and for tests. */
export const SAMPLE_EVENTS: { [Kind in WebhookEventKind]: Extract<WebhookPayload, { type: Kind }> } = {
  completion: {
    type: "completion",
    ...sampleCommon,
    output: "The invoice is due on 15 February 2026; the total is 1,190.00 EUR.",
    status: "completed",
    creditsUsed: 3,
    tokensIn: 1_204,
    tokensOut: 38,
    outputType: "text",
    downloadUrl: null,
  },
  error: {
    type: "error",
    ...sampleCommon,
    status: "failed",
    error: "The file is of a kind that cannot be read.",
    errorCode: "UNSUPPORTED_FILE",
  },
  "session.started": { type: "session.started", ...sampleCommon, status: "started" },
  "session.timeout": {
    type: "session.timeout",
    ...sampleCommon,
    status: "expired",
    lastActivityAt: "2026-01-31T07:30:00.000Z",
  },
  "tokens.exceeded": {
    type: "tokens.exceeded",
    ...sampleCommon,
    status: "completed",
    tokensUsed: 2_000_412,
    tokenLimit: 2_000_000,
    periodEnd: "2026-02-01T00:00:00.000Z",
  },
};
