"use client";

import { Button } from "@heroui/react";
import { ArrowDown } from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeferredValue, useEffect, useState } from "react";
import { progressWords } from "@/components/sessions/progress-words";
import { AWAY } from "@/components/sessions/streamed-answer";
import { type SessionStream, useSessionStream } from "@/components/sessions/use-session-stream";
import { useStickToEnd } from "@/components/sessions/use-stick-to-end";
import { formatDuration } from "@/components/ui/format-number";
import { MarkdownView } from "@/components/ui/markdown-view";
import { refreshWhenThere } from "@/components/ui/refresh-when-there";
import { say } from "@/components/ui/spoken";

interface LiveAnswerProps {
  /** The stream of the session's latest turn. */
  href: string;
  /** Null: it waits for its turn. */
  startedAt: string | null;
  /** How many files it has to read. */
  fileCount: number;
}

/** The answer of a turn that is open, as it comes in; when it is over the page is drawn with what was kept. */
export function LiveAnswer({ href, startedAt, fileCount }: LiveAnswerProps) {
  const router = useRouter();
  const stream = useSessionStream(href);
  const text = useDeferredValue(stream.text);
  const { end, isFollowing, goToEnd } = useStickToEnd(text);
  const isOver = stream.phase === "completed" || stream.phase === "failed" || stream.phase === "lost";

  useEffect(() => {
    if (!isOver) return;
    let isShown = true;
    // Where the connection was lost with it, the page's own refreshes come later.
    void refreshWhenThere(router, () => isShown);
    return () => {
      isShown = false;
    };
  }, [isOver, router]);

  // The words about it go with it, and the kept answer comes in its place in silence.
  useEffect(() => {
    const end = ENDS[stream.phase];
    if (end) return () => say(end);
  }, [stream.phase]);

  return (
    <div>
      {/* Without the words below: of what is busy, screen readers read nothing out. */}
      <div aria-busy={!isOver}>{text ? <MarkdownView text={text} /> : null}</div>
      <p className={`flex items-center gap-2 text-code text-muted ${text ? "mt-3" : ""}`}>
        <span aria-hidden="true" className="size-1.5 rounded-full bg-accent motion-safe:animate-pulse" />
        <span role="status">{wordsFor(stream, startedAt === null, fileCount)}</span>
        {startedAt && !isOver ? <Elapsed since={startedAt} /> : null}
      </p>
      <div className="h-px" ref={end} />
      {isFollowing || isOver ? null : (
        <div className="sticky bottom-4 flex justify-center">
          <Button onPress={goToEnd} size="sm" variant="secondary">
            <ArrowDown aria-hidden="true" />
            Follow the answer
          </Button>
        </div>
      )}
    </div>
  );
}

const ENDS: Partial<Record<SessionStream["phase"], string>> = { completed: "Done", failed: "It failed." };

function wordsFor({ phase, isAway, progress }: SessionStream, isQueued: boolean, fileCount: number): string {
  if (phase === "failed" || phase === "completed") return "Finishing";
  if (phase === "lost") return "The connection was lost, the work goes on";
  if (isAway) return AWAY;
  if (phase === "writing") return "Writing";
  if (isQueued) return "Waiting to begin";
  if (progress) return progressWords(progress);
  if (fileCount === 0) return "The AI is at work";
  return fileCount === 1 ? "Reading the file and working on it" : `Reading ${fileCount} files and working on them`;
}

const TICK_MS = 1_000;

/** How long it has been going on; counted in the browser alone, so that server and browser write the same at first. */
function Elapsed({ since }: { since: string }) {
  const [elapsedMs, setElapsedMs] = useState<number | null>(null);
  useEffect(() => {
    const tick = () => setElapsedMs(Math.max(0, Date.now() - Date.parse(since)));
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [since]);
  if (elapsedMs === null) return null;
  return (
    <span aria-hidden="true" className="whitespace-nowrap tabular-nums">
      {formatDuration(Math.floor(elapsedMs / TICK_MS) * TICK_MS)}
    </span>
  );
}
