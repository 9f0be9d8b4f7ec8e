import { z } from "zod";
import { defineEndpoint } from "@/lib/contracts/endpoint-definition";
import * as fields from "@/lib/contracts/fields";
import { MAX_BATCH_FILES, MAX_FILE_BYTES } from "@/lib/domain/limits";
import { PLAN_IDS, PLANS } from "@/lib/domain/plans";

/** The account of a key: credits, plan, limits, statistics (§2.6, §4.6, contract §7). */

export const account = z
  .object({
    id: z.string().meta({ description: "Account identifier, also called partner id." }),
    companyName: z.string(),
    verification: z.object({
      status: z.string().meta({ description: "`verified` whenever a key is let through." }),
      verifiedAt: fields.timestamp("When it was verified; null when that is not known.").nullable(),
    }),
    credits: z.object({
      balance: fields.total("Credits of the account: the sum of its ledger."),
      reserved: fields.total("Of these, promised to work that is queued or running."),
      usedThisPeriod: fields.total("Credits charged in the plan's current period."),
    }),
    plan: z.object({
      id: z.enum(PLAN_IDS as [string, ...string[]]),
      name: z.string(),
      tokenLimit: fields.total("Tokens of a period; null: no limit.").nullable(),
      tokensUsed: fields.total("Tokens used in the current period."),
      periodStart: fields.timestamp("First moment of the period: a calendar month (UTC)."),
      periodEnd: fields.timestamp("First moment of the next one."),
    }),
    limits: z.object({
      requestsPerMinute: fields.count("Calls that each key may make in a minute."),
      maxFileBytes: fields.count("The largest file, in bytes."),
      maxBatchFiles: fields.count("Files of one `POST /process/batch`."),
    }),
    stats: z
      .object({
        sessions: fields.total("All sessions."),
        completed: fields.total("Sessions whose last work completed, also when they have expired since."),
        failed: fields.total("Sessions whose last work failed, also when they have expired since."),
        endUsers: fields.total("End users that were seen."),
        requests30d: fields.total(
          "Accepted inputs whose work ended within the last 30 days (UTC, with today), as in `GET /usage`.",
        ),
      })
      .meta({ description: "Over all projects of the account." }),
  })
  .meta({ id: "Account" });

export type AccountRecord = z.output<typeof account>;

export const getAccountEndpoint = defineEndpoint({
  method: "GET",
  path: "/account",
  operationId: "getAccount",
  tags: ["Account"],
  summary: "Credits, plan, limits and statistics of the key's account.",
  auth: "key",
  permission: null,
  response: {
    status: 200,
    description: "The account, over all its projects.",
    schema: account,
    example: {
      id: "acc_01k8z3v5n6f0mve1q5t9d2x7ab",
      companyName: "Acme Ltd",
      verification: { status: "verified", verifiedAt: "2026-01-02T10:00:00.000Z" },
      credits: { balance: 4_812, reserved: 3, usedThisPeriod: 188 },
      plan: {
        id: "growth",
        name: PLANS.growth.name,
        tokenLimit: PLANS.growth.tokensPerMonth,
        tokensUsed: 312_450,
        periodStart: "2026-01-01T00:00:00.000Z",
        periodEnd: "2026-02-01T00:00:00.000Z",
      },
      limits: {
        requestsPerMinute: PLANS.growth.requestsPerMinute,
        maxFileBytes: MAX_FILE_BYTES,
        maxBatchFiles: MAX_BATCH_FILES,
      },
      stats: { sessions: 214, completed: 205, failed: 4, endUsers: 37, requests30d: 311 },
    },
  },
  errors: [],
});
