import { StatusDot } from "@/components/ui/status-dot";
import { httpStatusTone, type Tone } from "@/components/ui/status-tones";
import type { AttemptSummary } from "@/lib/contracts/deliveries";

/** What an attempt came to in a word: the response's status, or that there was none. */
export function AttemptResult({ attempt }: { attempt: AttemptSummary }) {
  const { status, tone } = resultOf(attempt);
  return <StatusDot status={status} tone={tone} />;
}

function resultOf({ responseStatus, durationMs }: AttemptSummary): { status: string; tone: Tone } {
  if (responseStatus !== null) return { status: String(responseStatus), tone: httpStatusTone(responseStatus) };
  return durationMs === null ? { status: "waiting", tone: "running" } : { status: "no answer", tone: "danger" };
}
