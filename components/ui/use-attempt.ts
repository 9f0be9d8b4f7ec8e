"use client";

import { useCallback, useRef } from "react";
import { answerOf } from "@/components/ui/answer-of";
import { isSamePlace, usePlaces } from "@/components/ui/place";
import type { ActionFailure, ActionResult } from "@/lib/contracts/action-result";
import type { Place } from "@/lib/contracts/place";

export const ELSEWHERE = elsewhere(
  "Nothing was saved: somebody else is signed in now, another project was chosen, or you were taken off this team. Sign in as before and choose this project in another tab, or reload this page.",
);
/** After a press without an answer: it may be what led away from here, as leaving a team does, or a new project. */
export const ELSEWHERE_BY_ITSELF = elsewhere(
  "The press before this one got no answer, and may have worked: somebody else is signed in now, another project was chosen, or you are off this team. Nothing more was done. Reload this page to see where you are.",
);

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

/** Of no field: said with the form. */
function elsewhere(message: string): ActionFailure {
  return { ok: false, code: "NOT_FOUND", message, fieldErrors: { "": message } };
}
