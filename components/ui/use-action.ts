"use client";

import { useCallback, useState, useTransition } from "react";
import { usePasswordPrompt } from "@/components/ui/password-prompt";
import { type SortedErrors, sortFieldErrors } from "@/components/ui/sort-field-errors";
import { showFailure, showSuccess } from "@/components/ui/toasts";
import type { ActionFailure, ActionResult } from "@/lib/contracts/action-result";

interface UseActionOptions<Data> {
  /** The toast after success: "Key revoked". None: the page itself shows it. */
  success?: string | ((data: Data) => string);
  onDone?: (data: Data) => void;
  /** Whether the caller shows an error of that field at the field; none: it has no fields, and a toast says all. */
  hasField?: (name: string) => boolean;
}

/** `fieldErrors` and `formError` are of the latest run; there are none without `hasField`. */
interface ActionRun<Input> extends SortedErrors {
  run: (input: Input) => void;
  isPending: boolean;
}

const UNREACHED = "The server could not be reached. It is not known whether anything changed: look, then try again.";

const NOTHING_REFUSED: SortedErrors = { fieldErrors: {}, formError: null };

/**
 * Runs a server action and says what happened: errors of fields where the fields are, those of fields that are not there
 * with the form, all else in a toast. An action that wants the password first asks for it and runs again; when the
 * session has ended, the reader signs in and comes back.
 */
export function useAction<Input, Data>(
  action: (input: Input) => Promise<ActionResult<Data>>,
  { success, onDone, hasField }: UseActionOptions<Data> = {},
): ActionRun<Input> {
  const [isPending, startTransition] = useTransition();
  const [refused, setRefused] = useState(NOTHING_REFUSED);
  const askPassword = usePasswordPrompt();

  const run = useCallback(
    (input: Input) => {
      startTransition(async () => {
        let result = await attempt(action, input);
        if (isFailure(result, "CONFIRM_PASSWORD") && (await askPassword())) result = await attempt(action, input);
        if (!result) return showFailure("No answer", UNREACHED);
        // With the end of `isPending`: a button takes no press before, and whoever reads an error presses it.
        const errors = result.ok || !hasField ? NOTHING_REFUSED : sortFieldErrors(result.fieldErrors, hasField);
        startTransition(() => setRefused(errors));
        if (!result.ok) return showRefusal(result, hasField !== undefined);
        if (success) showSuccess(typeof success === "string" ? success : success(result.data));
        onDone?.(result.data);
      });
    },
    [action, askPassword, success, onDone, hasField],
  );

  return { run, isPending, ...refused };
}

/** Null: the connection was lost. */
async function attempt<Input, Data>(
  action: (input: Input) => Promise<ActionResult<Data>>,
  input: Input,
): Promise<ActionResult<Data> | null> {
  try {
    return await action(input);
  } catch (error) {
    // Next ends an action that redirects by throwing; that goes on to Next.
    if (error instanceof Error && "digest" in error && String(error.digest).startsWith("NEXT_")) throw error;
    return null;
  }
}

function isFailure(result: ActionResult<unknown> | null, code: ActionFailure["code"]): boolean {
  return result !== null && !result.ok && result.code === code;
}

function showRefusal({ code, message, fieldErrors }: ActionFailure, isFieldShown: boolean) {
  if (code === "SIGNED_OUT") {
    location.assign(`/panel/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  } else if (code !== "CONFIRM_PASSWORD" && !(isFieldShown && Object.keys(fieldErrors ?? {}).length > 0)) {
    showFailure("That did not work", message);
  }
}
