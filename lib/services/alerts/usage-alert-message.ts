import { isPlanId, PLANS } from "@/lib/domain/plans";
import { count, nextMonth, number } from "@/lib/services/alerts/alert-words";
import type { UsageState } from "@/lib/services/alerts/usage-states";

/**
 * What an alert about an account's use says, in the panel and in mails: how it is, what comes of it, what to do.
 * @param now the period that tokens are of ends after it
 */
export function usageAlertMessage({ kind, planId, of, by }: Omit<UsageState, "accountId">, now: Date): string {
  switch (kind) {
    case "credits.low":
      return `${count(of, "credit")} of ${number(by)} ${of === 1 ? "is" : "are"} left since the last top-up. Calls that need more than is left are refused: ask for more before that.`;
    case "credits.out":
      return `${count(by, "call")} of the last 24 hours ${by === 1 ? "was" : "were"} refused with INSUFFICIENT_CREDITS: too few credits were free. ${count(of, "credit")} ${of === 1 ? "is" : "are"} left. Ask for more: calls go through again as soon as they are there.`;
    case "tokens.low":
      return `${number(by)} of the ${number(of)} tokens that the plan ${nameOf(planId)} has a month are used. When all are, calls are refused until ${nextMonth(now)}, or until you have a larger plan.`;
    case "tokens.out":
      return `The plan ${nameOf(planId)} has ${number(of)} tokens a month, and all are used: calls are refused with TOKEN_LIMIT_REACHED until ${nextMonth(now)}, or until you have a larger plan.`;
  }
}

function nameOf(planId: string): string {
  return isPlanId(planId) ? PLANS[planId].name : planId;
}
