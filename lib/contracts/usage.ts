import { z } from "zod";
import { defineEndpoint } from "@/lib/contracts/endpoint-definition";
import * as fields from "@/lib/contracts/fields";
import { cost } from "@/lib/contracts/process-records";
import { DATE_PATTERN, DEFAULT_USAGE_DAYS, isDate, MAX_USAGE_DAYS } from "@/lib/domain/usage-period";

/** Consumption per day and endpoint (§2.6, §4.6, contract §7). */

const sums = {
  requests: fields.total("Accepted inputs whose work has ended, completed or not; each file of a batch is one."),
  tokensIn: fields.total("Tokens that the model read."),
  tokensOut: fields.total("Tokens that the model wrote."),
  tokensUsed: fields.total("Both together."),
  creditsUsed: fields.total("Credits charged."),
  cost,
};

function dateField(description: string) {
  return z
    .string()
    .refine(isDate, "must be a date from 2000 on, written like 2026-01-31")
    .meta({ description, format: "date", pattern: DATE_PATTERN.source, examples: ["2026-01-31"] });
}

export const usageQuery = z.object({
  from: dateField(`First day (UTC); ${DEFAULT_USAGE_DAYS} days up to \`to\` when left out.`).optional(),
  to: dateField(`Last day (UTC), at most ${MAX_USAGE_DAYS} days with the first; today when left out.`).optional(),
  endUserId: fields.endUserIdField.optional(),
});

export const usageReport = z
  .object({
    from: z.string().meta({ description: "First day (UTC).", format: "date" }),
    to: z.string().meta({ description: "Last day (UTC).", format: "date" }),
    totals: z.object(sums).meta({ id: "UsageSums" }),
    days: z
      .array(z.object({ date: z.string().meta({ format: "date" }), ...sums }))
      .meta({ description: "Every day of the period, oldest first; those without use with zeros." }),
    endpoints: z
      .array(z.object({ endpoint: z.string().meta({ examples: ["POST /chat"] }), ...sums }))
      .meta({ description: "Endpoints that were used, by name." }),
  })
  .meta({ id: "Usage" });

export type UsageQuery = z.output<typeof usageQuery>;
export type UsageReport = z.output<typeof usageReport>;

const SUMS_EXAMPLE = {
  requests: 2,
  tokensIn: 5_141,
  tokensOut: 132,
  tokensUsed: 5_273,
  creditsUsed: 4,
  cost: { credits: 4, amount: 0.04, currency: "USD" },
};

export const getUsageEndpoint = defineEndpoint({
  method: "GET",
  path: "/usage",
  operationId: "getUsage",
  tags: ["Account"],
  summary: "Consumption of the account per day and per endpoint: tokens, credits, cost.",
  description: [
    "Counts work on the day (UTC) on which it ended; what is queued or running is not in it yet. `requests` counts accepted",
    "inputs that ended: completed, failed or canceled, though only completed ones have tokens and credits. Reads and refused",
    "calls are not counted. Totals equal the sums of days and of endpoints, and the account's ledger: all its projects are",
    "in them. With `endUserId` only the share of that end user of the key's project is counted.",
  ].join(" "),
  auth: "key",
  permission: null,
  query: usageQuery,
  response: {
    status: 200,
    description: "The consumption.",
    schema: usageReport,
    example: {
      from: "2026-01-31",
      to: "2026-01-31",
      totals: SUMS_EXAMPLE,
      days: [{ date: "2026-01-31", ...SUMS_EXAMPLE }],
      endpoints: [{ endpoint: "POST /chat", ...SUMS_EXAMPLE }],
    },
  },
  errors: [],
});
