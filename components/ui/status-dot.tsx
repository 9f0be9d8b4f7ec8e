import type { ReactNode } from "react";
import { statusTone, type Tone } from "@/components/ui/status-tones";

interface StatusDotProps {
  /** As the services name it: "more_info". */
  status: string;
  /** When the word should be another: "waiting for you". */
  word?: ReactNode;
  /** When the state is none that `statusTone` knows. */
  tone?: Tone;
}

const DOT_CLASSES: Record<Tone, string> = {
  success: "bg-success",
  running: "bg-accent motion-safe:animate-pulse",
  warning: "bg-warning",
  danger: "bg-danger",
  neutral: "bg-muted/60 forced-colors:bg-[color:GrayText]",
};

/** A state as a small dot and a word: colour never says it alone. */
export function StatusDot({ status, word, tone = statusTone(status) }: StatusDotProps) {
  return (
    // In one line where there is room for it: in a cell of a table always, where that says so.
    <span className="inline-flex max-w-full shrink-0 items-baseline gap-2">
      <span
        aria-hidden="true"
        className={`mt-[calc((1lh-6px)/2)] size-1.5 shrink-0 self-start rounded-full ${DOT_CLASSES[tone]}`}
      />
      {word ?? status.replaceAll("_", " ")}
    </span>
  );
}
