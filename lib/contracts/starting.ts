import { z } from "zod";
import type { ResponseDefinition } from "@/lib/contracts/endpoint-definition";
import * as fields from "@/lib/contracts/fields";
import type { ErrorCode } from "@/lib/domain/errors";

/** What the calls that start work share: their errors, and the quote instead of the work (contract §5). */

export const START_ERRORS = [
  "TEMPLATE_VARIABLE_MISSING",
  "URL_NOT_HTTPS",
  "URL_NOT_ALLOWED",
  "INSUFFICIENT_CREDITS",
  "TOKEN_LIMIT_REACHED",
  "END_USER_LIMIT_REACHED",
  "KEY_LIMIT_REACHED",
  "PROJECT_LIMIT_REACHED",
  "NOT_FOUND",
] as const satisfies readonly ErrorCode[];

/** (beyond) `maxCredits` may stand in the query beside `dryRun`, or in the body as every other field. */
const creditBound = {
  maxCredits: fields
    .fromText(fields.maxCreditsField)
    .optional()
    .meta({ description: "As `maxCredits` of the body: send either, or the same in both." }),
};

/** (beyond) Asks for a quote. */
export const dryRunQuery = z.object({
  dryRun: z
    .enum(["true", "false"])
    // `false` is as if it were left out, to an Idempotency-Key too.
    .transform((text) => (text === "true" ? true : undefined))
    .optional()
    .meta({ description: "`true`: answer 200 with what the call would cost; nothing is stored, started or charged." }),
  ...creditBound,
});

/** Of a call that starts work and has no quote: who asks for one must not get the work instead. */
export const noDryRun = (hasNone: string, instead: string) =>
  z
    .enum(["false"], `must be left out: ${hasNone} has no quote. ${instead}`)
    .transform(() => undefined)
    .optional()
    .meta({ description: `There is no quote of ${hasNone}. ${instead}.` });

/** Of a call that goes by the bound of an earlier one: who names a bound must not pay more than that without a word. */
export const noMaxCredits = (why: string) =>
  z
    .string()
    .max(0, `must be left out: ${why}`)
    .transform(() => undefined)
    .optional()
    .meta({ description: `Not taken: ${why}.` });

export const batchQuery = z.object({
  dryRun: noDryRun("a batch", "Quote each file by POST /process?dryRun=true"),
  ...creditBound,
});

/** (beyond) What a call would cost. */
export const quote = z
  .object({
    tokensInEstimate: fields.count("Tokens that the model would read."),
    creditsEstimate: z.object({
      min: fields.count("With the shortest answer."),
      max: fields.count(
        "With an answer of the usual length in text; at most `maxCredits`. A picture, speech or a video that the AI makes costs more.",
      ),
    }),
    warnings: z.array(z.string()).meta({ description: "What is worth knowing before the call is made." }),
    wouldExceed: z
      .enum(["credits", "tokenLimit"])
      .nullable()
      .meta({ description: "What the account has too little of; null when there is enough." }),
  })
  .meta({ id: "Quote" });

export type Quote = z.output<typeof quote>;

/** The answer to a call with `dryRun=true`. */
export const QUOTE_RESPONSE: ResponseDefinition = {
  status: 200,
  description: "With `dryRun=true`: the quote. Nothing was stored, started or charged.",
  schema: quote,
  example: { tokensInEstimate: 1_240, creditsEstimate: { min: 1, max: 2 }, warnings: [], wouldExceed: null },
};
