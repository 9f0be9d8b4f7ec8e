import { formatCount, formatCredits, formatNumber } from "@/components/ui/format-number";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { SessionDetail } from "@/lib/contracts/sessions";

/** How a session stands, in one line. */
export function SessionStanding({ session }: { session: SessionDetail }) {
  const { status, turnCount, tokensIn, tokensOut, creditsUsed, lastActivityAt } = session;
  return (
    <span className="flex flex-wrap items-baseline gap-x-4 tabular-nums">
      <StatusDot status={status} />
      <span>{formatCount(turnCount, "turn")}</span>
      <span>
        {formatCount(tokensIn, "token")} in, {formatNumber(tokensOut)} out
      </span>
      <span>{formatCredits(creditsUsed)}</span>
      <span>
        active <TimeText at={lastActivityAt} />
      </span>
    </span>
  );
}
