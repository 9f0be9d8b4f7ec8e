import { z } from "zod";
import type { AlertRecord } from "@/lib/contracts/alerts";
import { OVERVIEW_RANGES, type OverviewRange } from "@/lib/domain/overview-range";
import type { PlanId } from "@/lib/domain/plans";

/** What the panel's overview shows of a project and its account. */

/** One hour or one day of the range. */
export interface OverviewPoint {
  /** Its first moment (UTC). */
  at: string;
  /** Calls to the API, whatever became of them. */
  requests: number;
  /** Calls that were refused: statuses 400 to 499. */
  clientErrors: number;
  /** Calls that failed: statuses from 500 on. */
  serverErrors: number;
  /** Of finished work. */
  tokensIn: number;
  tokensOut: number;
  creditsUsed: number;
}

export interface PlanMeter {
  id: PlanId;
  name: string;
  /** Tokens of a period; null: no limit. */
  tokenLimit: number | null;
  tokensUsed: number;
  /** First moment of the calendar month (UTC), and of the next one. */
  periodStart: string;
  periodEnd: string;
  credits: { balance: number; reserved: number; usedThisPeriod: number };
}

export type StartStep = "verify" | "create-key" | "first-call" | "webhook" | "template" | "first-answer";

export interface Overview {
  range: OverviewRange;
  unit: "hour" | "day";
  /** Every part of the range, the oldest first; those without calls with zeros. */
  points: OverviewPoint[];
  totals: Omit<OverviewPoint, "at">;
  /** Of the account, over all its projects. */
  plan: PlanMeter;
  /** As in `GET /account`: "verified" whenever keys are let through. */
  verification: string;
  /** Open alerts of the account, the newest ones. */
  alerts: AlertRecord[];
  alertCount: number;
  /** In the order in which a new account goes through them. */
  steps: { step: StartStep; isDone: boolean }[];
}

export const overviewQuery = z.object({ range: z.enum(OVERVIEW_RANGES).catch("7d") });
