"use client";

import { useCallback, useRef } from "react";
import { answerOf } from "@/components/ui/answer-of";
import { isSamePlace, usePlaces } from "@/components/ui/place";
import type { ActionFailure, ActionResult } from "@/lib/contracts/action-result";
import type { Place } from "@/lib/contracts/place";

const NOT_THIS_PLACE =
  "Nothing was saved: somebody else is signed in now, another project was chosen, or you were taken off this team. Sign in as before and choose this project in another tab, or reload this page.";
/** Of no field: said with the form. */
const ELSEWHERE: ActionFailure = {
  ok: false,
  code: "NOT_FOUND",
  message: NOT_THIS_PLACE,
  fieldErrors: { "": NOT_THIS_PLACE },
};

const NOT_SENT = "Nothing was changed: the server could not be reached. Look whether you are online, then try again.";
/** Of no field: said with the form. */
const UNSENT: ActionFailure = {
  ok: false,
  code: "SERVICE_UNAVAILABLE",
  message: NOT_SENT,
  fieldErrors: { "": NOT_SENT },
};

/**
 * Calls a server action; null: the connection was lost while it was under way. It asks first whether the person and the
 * project are those that the page was drawn for: another tab may have chosen another project, or somebody else may have
 * signed in, and the act would go there. Once the session has ended, only the same person on the same project goes on.
 * @param isAnywhere for what names the project itself
 */
export function useAttempt(isAnywhere = false) {
  const places = usePlaces();
  const left = useRef<Place>(null);

  return useCallback(
    async <Data>(call: () => Promise<ActionResult<Data>>): Promise<ActionResult<Data> | null> => {
      if (!places || isAnywhere) return answerOf(call);
      const now = await answerOf(places.read);
      if (!now) return UNSENT;
      if (!now.ok) {
        if (now.code === "SIGNED_OUT") left.current ??= places.shown;
        return now;
      }
      if (!isSamePlace(now.data, left.current ?? places.shown)) return ELSEWHERE;
      left.current = null;
      const result = await answerOf(call);
      if (result && !result.ok && result.code === "SIGNED_OUT") left.current = places.shown;
      return result;
    },
    [places, isAnywhere],
  );
}
