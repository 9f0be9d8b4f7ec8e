"use client";

import { useDeferredValue } from "react";
import { progressWords } from "@/components/sessions/progress-words";
import type { SessionStream } from "@/components/sessions/use-session-stream";
import { formatCount, formatCredits, formatNumber } from "@/components/ui/format-number";
import { MarkdownView } from "@/components/ui/markdown-view";

/** Of a call that was taken: its work goes on, whoever looks. */
export const AWAY = "No connection just now: it is tried again, and the work goes on";

interface StreamedAnswerProps {
  stream: SessionStream;
  /** Where the whole session is shown. */
  sessionHref: string;
}

/** An answer as it comes in, and what it took in the end. */
export function StreamedAnswer({ stream, sessionHref }: StreamedAnswerProps) {
  const text = useDeferredValue(stream.text);
  const isOver = ["completed", "failed", "lost"].includes(stream.phase);
  return (
    <div className="rounded-lg border border-border px-4 py-3">
      {/* Without the words below: of what is busy, screen readers read nothing out. */}
      <div aria-busy={!isOver}>{text ? <MarkdownView text={text} /> : null}</div>
      <p className={`flex flex-wrap gap-x-3 text-code text-muted ${text ? "mt-3" : ""}`} role="status">
        <span className={stream.phase === "failed" ? "text-danger" : undefined}>{wordsFor(stream)}</span>
        {isOver ? (
          <a className="text-accent-text hover:underline" href={sessionHref}>
            See the session
          </a>
        ) : null}
      </p>
    </div>
  );
}

function wordsFor({ phase, isAway, progress, result, error }: SessionStream): string {
  switch (phase) {
    case "idle":
    case "connecting":
      return isAway ? AWAY : "Starting";
    case "working":
      if (isAway) return AWAY;
      return progress ? progressWords(progress) : "The AI is at work";
    case "writing":
      return isAway ? AWAY : "Writing";
    case "failed":
      return error ?? "It failed.";
    case "lost":
      return "The connection was lost. The answer is in the session.";
    case "completed":
      return result
        ? `${formatCount(result.tokensIn, "token")} in, ${formatNumber(result.tokensOut)} out, ${formatCredits(result.creditsUsed)}`
        : "Done";
  }
}
