import { z } from "zod";
import { usageQuery } from "@/lib/contracts/usage";
import { isDate } from "@/lib/domain/usage-period";

/** Consumption in more detail than the API's report, for the panel (§2.6). */

/** Of the file of a month's end users; the present month where none is named. */
export const usageMonthQuery = z.object({
  month: z
    .string()
    .refine((text) => isDate(`${text}-01`), "must be a month from 2000 on, written like 2026-01")
    .optional(),
});

/** Of the files of projects and of keys. */
export const usageDaysQuery = usageQuery.pick({ from: true, to: true });

export interface UsageFigures {
  /** Accepted inputs whose work has ended. */
  requests: number;
  tokensIn: number;
  tokensOut: number;
  creditsUsed: number;
}

/** What was used of one endpoint on one day (UTC). */
export interface EndpointUsageDay extends UsageFigures {
  date: string;
  /** "POST /chat" */
  endpoint: string;
}

export interface EndUserUsageShare extends UsageFigures {
  /** Null: the client's own calls, for no end user. */
  endUserId: string | null;
}

/** What was used with one of the project's API keys, or without any. */
export interface KeyUsageShare extends UsageFigures {
  source: KeyUsageSource;
  /** Null: no single key. */
  key: { id: string; name: string; hint: string; isUsable: boolean } | null;
}

/**
 * key: one key of the project; playground: all keys that the panel's playground made for its readers; panel: begun there without
 * a key, as tests of templates are; unknown: it ended before use was counted by key.
 */
export type KeyUsageSource = "key" | "playground" | "panel" | "unknown";

/** What one of the account's projects used. */
export interface ProjectUsageShare extends UsageFigures {
  projectId: string;
  name: string;
}
