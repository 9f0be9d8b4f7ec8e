"use client";

import { useEffect, useState } from "react";
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
 * Follows the latest turn of a session. A connection that breaks is taken up where it was; the server knows by the last
 * event's id.
 * @param href of the stream; null: nothing is followed
 */
export function useSessionStream(href: string | null): SessionStream {
  const [state, setState] = useState<SessionStream & { href: string | null }>({ ...NOTHING, href });
  // Of another stream nothing is shown, not even for the moment until the effect runs.
  const shown = state.href === href ? state : { ...NOTHING, phase: href ? ("connecting" as const) : ("idle" as const) };

  useEffect(() => {
    if (href === null) return;
    setState({ ...NOTHING, phase: "connecting", href });
    const source = new EventSource(href);
    const change = (next: (before: SessionStream) => Partial<SessionStream>) =>
      setState((before) => ({ ...before, ...next(before) }));

    let away: ReturnType<typeof setTimeout> | undefined;
    const noteAway = () => {
      away ??= setTimeout(() => change(() => ({ isAway: true })), AWAY_AFTER_MS);
    };
    const endAway = () => {
      clearTimeout(away);
      away = undefined;
    };

    const lose = () => {
      end();
      change(() => ({ phase: "lost" }));
    };
    // Firefox closes it without a word when its reader sets out for another page and then stays.
    const look = setInterval(() => {
      if (source.readyState === EventSource.CLOSED) lose();
    }, AWAY_AFTER_MS);
    const end = () => {
      endAway();
      clearInterval(look);
      source.close();
    };

    source.addEventListener("open", () => {
      endAway();
      change(() => ({ isAway: false }));
    });
    source.addEventListener("status", () =>
      change(({ phase }) => ({ phase: phase === "connecting" ? "working" : phase })),
    );
    source.addEventListener("progress", (event) =>
      change(() => ({ phase: "working", progress: read<TurnProgress>(event) })),
    );
    source.addEventListener("chunk", (event) =>
      change(({ text }) => ({ phase: "writing", text: text + read<{ delta: string }>(event).delta })),
    );
    source.addEventListener("reset", () => change(() => ({ phase: "working", progress: null, text: "" })));
    source.addEventListener("completed", (event) => {
      end();
      const result = read<StreamedResult>(event);
      change(() => ({ phase: "completed", text: result.output, result }));
    });
    source.addEventListener("error", (event) => {
      // The turn's own end has data; without any the connection is meant.
      if (event instanceof MessageEvent) {
        end();
        change(() => ({ phase: "failed", error: read<{ error: { message: string } }>(event).error.message }));
      } else if (source.readyState === EventSource.CLOSED) lose();
      else noteAway();
    });
    return end;
  }, [href]);

  return shown;
}

function read<Data>(event: MessageEvent<string>): Data {
  return JSON.parse(event.data) as Data;
}
