import type { RunProgress } from "@/components/templates/example-run";
import { formatCount, formatCredits, formatNumber } from "@/components/ui/format-number";

/** How far a try of all examples is and what it has cost; what has no answer is never counted as done. */
export function progressWords({ outcomes, all, credits, isRunning, started }: RunProgress): string {
  const { answered } = outcomes;
  const of = `of ${formatNumber(all)}`;
  const came = [`${formatNumber(answered)} ${of} answered`, ...withoutAnswer(outcomes)];
  if (isRunning) return [...came, `${formatCredits(credits)} so far`].join(", ");
  const cost = `${formatCredits(credits)} in all`;
  if (started < all)
    return [`Stopped: ${formatNumber(started)} ${of} started`, ...withoutAnswer(outcomes), cost].join(", ");
  return answered === all ? `All done, ${cost}` : [...came, cost].join(", ");
}

function withoutAnswer({ refused, failed, lost }: RunProgress["outcomes"]): string[] {
  const parts = [];
  if (refused > 0) parts.push(`${formatNumber(refused)} refused`);
  if (failed > 0) parts.push(`${formatNumber(failed)} failed`);
  if (lost > 0) parts.push(`${formatCount(lost, "connection")} lost`);
  return parts;
}
