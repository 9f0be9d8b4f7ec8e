import { formatCount, formatCredits, formatDuration, formatNumber } from "@/components/ui/format-number";
import type { SessionTurn } from "@/lib/contracts/sessions";

/** What a turn took: model, tokens, credits and time; of an open one what is set aside for it. */
export function TurnFigures({ turn }: { turn: SessionTurn }) {
  const {
    status,
    model,
    tokensIn,
    tokensOut,
    creditsUsed,
    creditsReserved,
    maxCredits,
    isBySchema,
    startedAt,
    endedAt,
  } = turn;
  const isOpen = status === "queued" || status === "running";
  const figures = [
    model,
    isOpen ? null : `${formatCount(tokensIn, "token")} in, ${formatNumber(tokensOut)} out`,
    isOpen ? `${formatCredits(creditsReserved)} set aside` : formatCredits(creditsUsed),
    maxCredits === null ? null : `at most ${formatCredits(maxCredits)}`,
    isBySchema ? "JSON by a schema" : null,
    startedAt && endedAt ? formatDuration(Date.parse(endedAt) - Date.parse(startedAt)) : null,
  ].filter((figure) => figure !== null);
  return (
    <ul aria-label="What it took" className="mt-3 flex flex-wrap gap-x-4 text-code text-muted tabular-nums">
      {figures.map((figure) => (
        <li key={figure}>{figure}</li>
      ))}
    </ul>
  );
}
