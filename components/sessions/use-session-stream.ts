"use client";

import { useEffect, useState } from "react";
import { followStream, type StreamListener } from "@/components/sessions/follow-stream";
import type { TurnProgress } from "@/lib/domain/turn-progress";

/** What a finished turn tells (§6.2). */
export interface StreamedResult {
  output: string;
  outputType: string;
  downloadUrl: string | null;
  tokensIn: number;
  tokensOut: number;
  creditsUsed: number;
}

/** An answer while it comes in. */
export interface SessionStream {
  /** Nothing asked for; connecting or coming back; the AI works; text arrives; over, in one of three ways. */
  phase: "idle" | "connecting" | "working" | "writing" | "completed" | "failed" | "lost";
  /** The connection broke, or never came about, and is tried again in vain; one that comes back at once does not show. */
  isAway: boolean;
  /** Of the files before there is any text, or of what is made for it. */
  progress: TurnProgress | null;
  /** So far; the whole answer in the end. */
  text: string;
  result: StreamedResult | null;
  /** Why the turn failed, in words for people. */
  error: string | null;
}

const NOTHING: SessionStream = { phase: "idle", isAway: false, progress: null, text: "", result: null, error: null };

/** A server that stops, or a host that bounds its streams, leads to another one sooner. */
const AWAY_AFTER_MS = 4_000;

/**
 * Follows the latest turn of a session. A connection that breaks is taken up where it was.
 * @param href of the stream; null: nothing is followed
 */
export function useSessionStream(href: string | null): SessionStream {
  const [state, setState] = useState<SessionStream & { href: string | null }>({ ...NOTHING, href });
  // Of another stream nothing is shown, not even for the moment until the effect runs.
  const shown = state.href === href ? state : { ...NOTHING, phase: href ? ("connecting" as const) : ("idle" as const) };

  useEffect(() => {
    if (href === null) return;
    setState({ ...NOTHING, phase: "connecting", href });
    const following = new AbortController();
    const change = (next: (before: SessionStream) => Partial<SessionStream>) =>
      setState((before) => ({ ...before, ...next(before) }));

    let away: ReturnType<typeof setTimeout> | undefined;
    const endAway = () => {
      clearTimeout(away);
      away = undefined;
    };
    const end = () => {
      endAway();
      following.abort();
    };

    const listener: StreamListener = {
      onConnected() {
        endAway();
        change(() => ({ isAway: false }));
      },
      onBroken() {
        away ??= setTimeout(() => change(() => ({ isAway: true })), AWAY_AFTER_MS);
      },
      onEvent(event, data) {
        const parsed: unknown = JSON.parse(data);
        if (event === "completed" || event === "error") end();
        change((before) => afterEvent(before, event, parsed));
      },
      onRefused() {
        end();
        change(() => ({ phase: "lost" }));
      },
    };
    void followStream(href, listener, following.signal);
    return end;
  }, [href]);

  return shown;
}

/** What is different after an event of the stream (contract §5). */
function afterEvent({ phase, text }: SessionStream, event: string, data: unknown): Partial<SessionStream> {
  switch (event) {
    case "status":
      return { phase: phase === "connecting" ? "working" : phase };
    case "progress":
      return { phase: "working", progress: data as TurnProgress };
    case "chunk":
      return { phase: "writing", text: text + (data as { delta: string }).delta };
    case "reset":
      return { phase: "working", progress: null, text: "" };
    case "completed": {
      const result = data as StreamedResult;
      return { phase: "completed", text: result.output, result };
    }
    case "error":
      return { phase: "failed", error: (data as { error: { message: string } }).error.message };
    default:
      return {};
  }
}
