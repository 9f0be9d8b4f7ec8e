"use client";

import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { type SessionStream, useSessionStream } from "@/components/sessions/use-session-stream";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import type { TryEnd, TryOutcome } from "@/components/templates/example-run";
import { saidAnew } from "@/components/ui/said-anew";
import { signedOutError } from "@/components/ui/signed-out";
import { useAttempt } from "@/components/ui/use-attempt";
import { useOnce } from "@/components/ui/use-once";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { TestTemplateInput } from "@/lib/contracts/template-forms";

/** Starts the session of a trial. */
export type TestTemplate = (input: TestTemplateInput) => Promise<ActionResult<{ sessionId: string }>>;

interface ExampleAnswer {
  /** Null: not started. */
  sessionHref: string | null;
  stream: SessionStream;
  /** Why it could not be started; nothing: it could, or was not tried yet. */
  refusal: ReactNode;
  isStarting: boolean;
  /** Once more after a refusal: what was started all the same, its answer lost, is not started again. */
  retry: () => void;
}

const NO_ANSWER = "The server could not be reached. Try again: what was started already is not started twice.";

/**
 * The answer to one of several trials. Why it is refused is said at its place alone, for the others go on.
 * @param mayStart whether it is its turn; once it was, it stays
 * @param onOver each time that it ends, also by a refusal, and how
 */
export function useExampleAnswer(
  test: TestTemplate,
  input: Omit<TestTemplateInput, "attempt">,
  mayStart: boolean,
  onOver: (end: TryEnd) => void,
): ExampleAnswer {
  const send = useOnce(test);
  const attempt = useAttempt();
  const [sessionId, setSessionId] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isStarting, setStarting] = useState(false);
  const isUnderWay = useRef(false);
  const start = useCallback(async () => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setStarting(true);
    const result = await attempt(() => send(input));
    isUnderWay.current = false;
    setStarting(false);
    setRefusal(result?.ok ? null : refusalOf(result));
    if (result?.ok) setSessionId(result.data.sessionId);
  }, [attempt, send, input]);

  const isBegun = useRef(false);
  useEffect(() => {
    if (!mayStart || isBegun.current) return;
    isBegun.current = true;
    void start();
  }, [mayStart, start]);

  const sessionHref = sessionId && PANEL_ADDRESSES.session(sessionId);
  const stream = useSessionStream(sessionHref && `${sessionHref}/stream`);
  const outcome = refusal === null ? outcomeOf(stream) : refusal.outcome;
  const credits = stream.result?.creditsUsed ?? 0;
  useEffect(() => {
    if (outcome !== null) onOver({ outcome, credits });
  }, [outcome, credits, onOver]);
  return { sessionHref, stream, refusal: refusal?.said, isStarting, retry: () => void start() };
}

/** Null: it goes on, or has not begun. */
function outcomeOf({ phase }: SessionStream): TryOutcome | null {
  if (phase === "completed") return "answered";
  return phase === "failed" || phase === "lost" ? phase : null;
}

interface Refusal {
  said: ReactNode;
  outcome: "refused" | "lost";
}

/** @param result null: no answer came */
function refusalOf(result: Extract<ActionResult<unknown>, { ok: false }> | null): Refusal {
  if (!result) return { said: saidAnew(NO_ANSWER), outcome: "lost" };
  return { said: saidAnew(result.code === "SIGNED_OUT" ? signedOutError() : result.message), outcome: "refused" };
}
