"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { followTurn, type StreamedTurn } from "@/components/playground/follow-turn";
import { type CallValues, makeCall } from "@/components/playground/playground-call";
import { type CallAnswer, type NoAnswer, sendCall } from "@/components/playground/send-call";
import type { PlaygroundEndpoint } from "@/lib/contracts/playground";

/** A call of this tab. The key is no part of it. */
export interface MadeCall {
  number: number;
  at: string;
  endpointId: string;
  values: CallValues;
  /** Or why none came. */
  answer: CallAnswer | NoAnswer;
}

export interface CallRun {
  calls: MadeCall[];
  isPending: boolean;
  /** Whether the latest call has no answer yet. */
  isSending: boolean;
  /** How far the upload is, from 0 to 1; null when there is none. */
  progress: number | null;
  /** The answer of the latest call's turn, while it is written and after. */
  turn: StreamedTurn | null;
  run: (endpoint: PlaygroundEndpoint, values: CallValues, files: File[], apiKey: string) => Promise<void>;
  /** Ends what is under way in this tab; work that the API has taken goes on. */
  stop: () => void;
}

const MAX_CALLS = 30;

/** Makes calls one after another, follows the turn that a call starts, and remembers them until the tab is closed. */
export function usePlaygroundCalls(): CallRun {
  const [calls, setCalls] = useState<MadeCall[]>([]);
  const [isPending, setIsPending] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [progress, setProgress] = useState<number | null>(null);
  const [turn, setTurn] = useState<StreamedTurn | null>(null);
  const controller = useRef<AbortController>(null);
  const stop = useCallback(() => controller.current?.abort(), []);
  useEffect(() => stop, [stop]);

  const run: CallRun["run"] = async (endpoint, values, files, apiKey) => {
    stop();
    const mine = new AbortController();
    controller.current = mine;
    const { signal } = mine;
    const isMine = () => controller.current === mine;
    const call = makeCall(
      endpoint,
      values,
      files.map(({ name }) => name),
    );
    setIsPending(true);
    setIsSending(true);
    setTurn(null);
    setProgress(call.body.kind === "form" ? 0 : null);
    const at = new Date().toISOString();
    const answer = await sendCall(call, { apiKey, files, signal, onProgress: setProgress });
    if (!isMine()) return;
    setProgress(null);
    setIsSending(false);
    setCalls((known) => {
      const number = (known[0]?.number ?? 0) + 1;
      return [{ number, at, endpointId: endpoint.id, values, answer }, ...known].slice(0, MAX_CALLS);
    });
    const stream = await streamOf(answer, apiKey, signal);
    if (stream && isMine()) await followTurn(stream, (next) => isMine() && setTurn(next));
    if (isMine()) setIsPending(false);
  };
  return { calls, isPending, isSending, progress, turn, run, stop };
}

/** What to read on: the answer itself, or the stream of the session that the call has started. */
async function streamOf(answer: CallAnswer | NoAnswer, apiKey: string, signal: AbortSignal): Promise<Response | null> {
  if (typeof answer === "string") return null;
  if (answer.body.kind === "stream") return answer.body.response;
  if (answer.status !== 202) return null;
  const sessionId = startedSession(answer);
  if (sessionId === null) return null;
  const path = `/api/v1/chat/${encodeURIComponent(sessionId)}/stream`;
  const headers = { "X-API-Key": apiKey };
  const response = await fetch(path, { headers, signal, credentials: "omit" }).catch(() => null);
  return response?.ok ? response : null;
}

/** The session that a call has started, when it has started one; a key that may not read streams gets none. */
export function startedSession(answer: CallAnswer): string | null {
  const [only, ...others] = startedSessions(answer);
  return others.length === 0 ? (only ?? null) : null;
}

/** All that a call has started: a batch starts one for each file, and answers in their order. */
export function startedSessions({ body }: CallAnswer): string[] {
  if (body.kind !== "json") return [];
  return [body.value].flat().flatMap((item: unknown) => {
    const { sessionId } = (item ?? {}) as { sessionId?: unknown };
    return typeof sessionId === "string" ? [sessionId] : [];
  });
}
