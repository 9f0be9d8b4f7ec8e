import { formatDay } from "@/components/ui/format-time";
import type { PlanMeter } from "@/lib/contracts/overview";

/** What is refused because the month's tokens or the credits have come to their end; nothing while something is left. */
export function PlanEnd({ plan: { tokenLimit, tokensUsed, periodEnd, credits } }: { plan: PlanMeter }) {
  const begins = `${formatDay(new Date(periodEnd), "UTC")}, 00:00 UTC`;
  return (
    <>
      {tokenLimit !== null && tokensUsed >= tokenLimit ? (
        <p className="text-pretty text-danger">
          The tokens of this month are used up: new work is refused until {begins}, or until the plan is a larger one.
        </p>
      ) : null}
      {credits.balance - credits.reserved <= 0 ? (
        <p className="text-pretty text-danger">
          No credits are free: new work is refused until some are added to the account
          {credits.reserved > 0 ? ", or until running work ends that takes less than it reserved" : ""}.
        </p>
      ) : null}
    </>
  );
}
