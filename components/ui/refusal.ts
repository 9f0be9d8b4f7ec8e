import type { ReactNode } from "react";
import { saidAnew } from "@/components/ui/said-anew";
import { SIGNED_OUT, signedOutError, signInAgain } from "@/components/ui/signed-out";
import { sortFieldErrors } from "@/components/ui/sort-field-errors";
import { showFailure, showStanding } from "@/components/ui/toasts";
import type { ActionFailure, ActionResult } from "@/lib/contracts/action-result";

/** What an action was refused for, and where that is said. */

export interface ShownErrors {
  /** By the name of a field that is there: sentences. */
  fieldErrors: Record<string, string>;
  /** Null: nothing. */
  formError: ReactNode;
}

export const NOTHING_REFUSED: ShownErrors = { fieldErrors: {}, formError: null };

const MAY_HAVE_WORKED = "The press before this one got no answer, and may have worked: look what is the case now.";

export function isFailure(result: ActionResult<unknown> | null, code: ActionFailure["code"]): boolean {
  return result !== null && !result.ok && result.code === code;
}

/** What it acts on is not there. Not what another tab's project or person would miss: that is said with the form. */
export function isGone(result: ActionResult<unknown>): boolean {
  return isFailure(result, "NOT_FOUND") && !(result as ActionFailure).fieldErrors;
}

/** It is refused for how things stand by now, not for what was filled in. */
export function isOfState(result: ActionResult<unknown>): boolean {
  return isFailure(result, "VALIDATION_FAILED") && !(result as ActionFailure).fieldErrors;
}

/** What stands at the fields and with the form. @param isUnknown whether the press before got no answer */
export function errorsOf(
  { code, fieldErrors }: ActionFailure,
  hasField: (name: string) => boolean,
  isUnknown: boolean,
): ShownErrors {
  if (code === "SIGNED_OUT") return { fieldErrors: {}, formError: saidAnew(signedOutError(isUnknown)) };
  const sorted = sortFieldErrors(fieldErrors, hasField);
  return { ...sorted, formError: sorted.formError && saidAnew(sorted.formError) };
}

interface PressBefore {
  /** Whether it got no answer: it may be what changed how things stand. */
  isSecond: boolean;
  /** Whether that is still not known now. */
  isUnknown: boolean;
}

/** @returns the toast that says so, which stays for a while; none: it is said elsewhere, or stands until it is tried again */
export function showRefusal(
  failure: ActionFailure,
  isFieldShown: boolean,
  { isSecond, isUnknown }: PressBefore,
): string | undefined {
  const { code, message, fieldErrors } = failure;
  if (code === "SIGNED_OUT") {
    if (!isFieldShown) showStanding(SIGNED_OUT, signInAgain(isUnknown));
    return undefined;
  }
  if (isSecond && (isOfState(failure) || isGone(failure))) {
    return showFailure("Nothing more was done", `${message} ${MAY_HAVE_WORKED}`);
  }
  const isSaid = code === "CONFIRM_PASSWORD" || (isFieldShown && Object.keys(fieldErrors ?? {}).length > 0);
  return isSaid ? undefined : showFailure("That did not work", message);
}
