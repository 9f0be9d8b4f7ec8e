import { formatDuration, formatNumber } from "@/components/ui/format-number";
import type { TurnProgress } from "@/lib/domain/turn-progress";

/** What is happening to a turn, for whoever looks on. */
export function progressWords({ stage, done, total, covers }: TurnProgress): string {
  if (stage === "making") return `Making ${covers}`;
  if (stage === "limited" && done === 0) return "Waiting for its turn: the model's provider limits requests";
  if (stage === "limited") return `Waiting: the model's provider limits requests (asked ${done} of ${total} times)`;
  if (stage === "heard" && done < total) {
    return `Transcribing ${covers}${done === 0 ? ` (${inWords(total)})` : `: ${lengthsOf(done, total)}`}`;
  }
  if (stage === "planned" && done === 0) return `Reading ${formatNumber(total)} parts`;
  if ((stage === "read" || stage === "planned") && done < total) return `Reading: ${partsOf(done, total)} done`;
  if (stage === "read" || stage === "planned" || done < total) return "Bringing the parts' results together";
  return "The AI is at work";
}

/** What had happened, for the timeline. */
export function stepWords({ stage, done, total, covers }: TurnProgress): string {
  if (stage === "making") return `${covers} was ordered and is being made`;
  if (stage === "limited" && done === 0)
    return "the model's provider limited requests; it waits for its turn to be asked for";
  if (stage === "limited")
    return `the model's provider limited requests at try ${done} of ${total}; it is asked again later`;
  if (stage === "heard" && done === 0) return `the transcription of ${covers} began (${inWords(total)})`;
  if (stage === "heard") return `${lengthsOf(done, total)} of ${covers} were transcribed`;
  if (stage === "planned") {
    const kept = done > 0 ? `; ${formatNumber(done)} of them an earlier try had read` : "";
    return `more than one call takes: it is read in ${formatNumber(total)} parts (${covers})${kept}`;
  }
  if (stage === "read") return `${partsOf(done, total)} were read, the last of them ${covers}`;
  return `results were brought together, ${formatNumber(done)} of ${formatNumber(total)} (${covers})`;
}

function partsOf(done: number, total: number): string {
  return `${formatNumber(done)} of ${formatNumber(total)} parts`;
}

function lengthsOf(done: number, total: number): string {
  return `${inWords(done)} of ${inWords(total)}`;
}

/** Whole minutes of what has some: its length is an estimate now and then. */
function inWords(seconds: number): string {
  return formatDuration(1_000 * (seconds < 120 ? Math.max(1, seconds) : Math.round(seconds / 60) * 60));
}
