"use client";

import { startTransition, useCallback, useRef, useState } from "react";
import { useIsDialogOpen } from "@/components/ui/dialog-frame";
import { usePasswordPrompt } from "@/components/ui/password-prompt";
import {
  errorsOf,
  isFailure,
  isGone,
  isOfState,
  NOTHING_REFUSED,
  type ShownErrors,
  showRefusal,
} from "@/components/ui/refusal";
import { saidAnew } from "@/components/ui/said-anew";
import {
  closeStanding,
  closeToast,
  type PartlyDone,
  showFailure,
  showPartlyDone,
  showSuccess,
} from "@/components/ui/toasts";
import { ELSEWHERE, ELSEWHERE_BY_ITSELF, useAttempt } from "@/components/ui/use-attempt";
import { useLostAnswer } from "@/components/ui/use-lost-answer";
import { useOpening } from "@/components/ui/use-opening";
import type { ActionResult } from "@/lib/contracts/action-result";

interface UseActionOptions<Data> {
  /** The toast after success: "Key revoked"; of what was done in part, what was not. None: the page itself shows it. */
  success?: string | ((data: Data) => string | PartlyDone);
  /** It stays pending until what this gives has settled: for what leaves the page (leave-for.ts). */
  onDone?: (data: Data) => unknown;
  /** Closes what asked, once that is done: only while it is open still, not what was opened anew in the meantime. */
  close?: () => void;
  /** Whether the caller shows an error of that field at the field; none: it has no fields, and a toast says all. */
  hasField?: (name: string) => boolean;
  /**
   * Whether what shows those errors is open: a question that was closed meanwhile shows none, and a toast says all. Default:
   * whether the dialog is that this stands in.
   */
  isOpen?: boolean;
  /** What to say with the form, while that is there, when no answer came: what may have happened, and what to do then. */
  unanswered?: string;
  /** When no answer came: in place of drawing the page anew, for what says so may be gone from the new one. */
  onLost?: () => void;
  /** Whether nothing is filled in that would be lost where the page is drawn anew: it has no fields. */
  holdsNothing?: boolean;
  /**
   * Whether the page is drawn anew where the act is refused for what is the case by now, not for what was filled in: somebody else
   * was first, and the page shows what is no longer so.
   */
  isOfNow?: boolean;
  /** What it acts on is no longer there: in place of a toast. */
  onGone?: () => void;
  /** Whether it works on no project but the one that it names, whichever the page was drawn for. */
  isAnywhere?: boolean;
}

/** `fieldErrors` and `formError` are of the latest run; there are none without `hasField`. */
interface ActionRun<Input> extends ShownErrors {
  /** Does nothing while it runs. */
  run: (input: Input) => void;
  isPending: boolean;
  /** Shows no more what was refused: for a dialog that is opened anew. */
  forget: () => void;
}

const UNREACHED = "The server could not be reached. It is not known whether anything changed: look, then try again.";

/**
 * Runs a server action and says what happened: errors of fields where the fields are, those of fields that are not there
 * with the form, all else in a toast. An action that wants the password first asks for it and runs again; when the
 * session has ended, the page stays with all that was typed, and the reader signs in elsewhere and presses again.
 */
export function useAction<Input, Data>(
  action: (input: Input) => Promise<ActionResult<Data>>,
  options: UseActionOptions<Data> = {},
): ActionRun<Input> {
  const { redraw, settle } = useLostAnswer();
  const { hasField, unanswered, onLost = redraw, onGone } = options;
  const isOutdated = outdatedBy(options);
  // No transition from its beginning to its end: all of the page would wait for the answer, its links among it.
  const [isPending, setPending] = useState(false);
  const [refused, setRefused] = useState(NOTHING_REFUSED);
  const attempt = useAttempt(options.isAnywhere);
  const askPassword = usePasswordPrompt();
  // A pending button takes no press, but Enter in a form of one line sends it all the same.
  const isRunning = useRef(false);
  const failure = useRef<string>(undefined);
  // Whether a press got no answer, and none since but that the service is away or the session has ended.
  const isUnknown = useRef(false);
  // Who has left the form is told in a toast; opened anew it is another one.
  const look = useOpening(useIsDialogOpen(options.isOpen));
  const finish = useFinish(options);

  const run = useCallback(
    (input: Input) => {
      if (isRunning.current) return;
      isRunning.current = true;
      const call = () => action(input);
      const isShown = look();
      const act = async () => {
        closeStanding();
        closeToast(failure.current);
        settle();
        let result = await attempt(call);
        if (isFailure(result, "CONFIRM_PASSWORD") && (await askPassword())) result = await attempt(call);
        if (!result || (isUnknown.current && isFailure(result, "SERVICE_UNAVAILABLE"))) {
          isUnknown.current = true;
          if (unanswered && isShown()) {
            startTransition(() => setRefused({ fieldErrors: {}, formError: saidAnew(unanswered) }));
          } else failure.current = showFailure("No answer", unanswered ?? UNREACHED);
          return onLost();
        }
        if (isUnknown.current && result === ELSEWHERE) result = ELSEWHERE_BY_ITSELF;
        const isSecond = isUnknown.current;
        isUnknown.current &&= isFailure(result, "SIGNED_OUT") || result === ELSEWHERE_BY_ITSELF;
        // With the end of `isPending`: a button takes no press before, and whoever reads an error presses it.
        const isAtFields = hasField !== undefined && isShown();
        const errors = result.ok || !isAtFields ? NOTHING_REFUSED : errorsOf(result, hasField, isUnknown.current);
        startTransition(() => setRefused(errors));
        if (onGone && isGone(result)) return onGone();
        if (!result.ok) {
          failure.current = showRefusal(result, isAtFields, { isSecond, isUnknown: isUnknown.current });
          // The page still shows what was before the press that got no answer, or what somebody else changed or took away.
          if (isSecond) return onLost();
          return isOutdated(result) ? redraw() : undefined;
        }
        failure.current = await finish(result.data, isShown);
      };
      setPending(true);
      void act().finally(() => {
        isRunning.current = false;
        // With what the answer draws anew.
        startTransition(() => setPending(false));
      });
    },
    [action, attempt, askPassword, finish, hasField, isOutdated, unanswered, onLost, onGone, redraw, settle, look],
  );

  return { run, isPending, forget: useCallback(() => setRefused(NOTHING_REFUSED), []), ...refused };
}

/** What comes of success. @returns the toast that says what was not done, if any: the next press takes it away */
function useFinish<Data>({ success, onDone, close }: UseActionOptions<Data>) {
  return useCallback(
    async (data: Data, isShown: () => boolean) => {
      const said = typeof success === "function" ? success(data) : success;
      const partly = typeof said === "object" ? showPartlyDone(said) : undefined;
      if (typeof said === "string") showSuccess(said);
      await onDone?.(data);
      if (isShown()) close?.();
      return partly;
    },
    [success, onDone, close],
  );
}

/** Which refusals say that the page shows what is no longer so, and have it drawn anew. */
function outdatedBy<Data>({ hasField, holdsNothing = hasField === undefined, isOfNow }: UseActionOptions<Data>) {
  if (isOfNow) return isOfState;
  return holdsNothing ? isGone : isNone;
}

function isNone(): boolean {
  return false;
}
