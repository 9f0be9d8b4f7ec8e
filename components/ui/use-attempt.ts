"use client";

import { useCallback, useRef } from "react";
import { usePlaces } from "@/components/ui/place";
import type { ActionFailure, ActionResult } from "@/lib/contracts/action-result";
import type { Place } from "@/lib/contracts/place";

const SIGNED_OUT: ActionFailure = { ok: false, code: "SIGNED_OUT", message: "Your session has ended. Sign in again." };

const NOT_THIS_PLACE =
  "Nothing was saved: somebody else is signed in now, or another project was chosen. Sign in as before and choose this project in another tab, or reload this page.";
/** Of no field: said with the form. */
const ELSEWHERE: ActionFailure = {
  ok: false,
  code: "NOT_FOUND",
  message: NOT_THIS_PLACE,
  fieldErrors: { "": NOT_THIS_PLACE },
};

/**
 * Calls a server action; null: the connection was lost. Once it has found the session ended, it does not call again before
 * the same person is back on the same project: whoever signs in next in this browser would save into their own.
 * @param isAlwaysAsking does so before every call: for what somebody may answer long after the page was drawn
 */
export function useAttempt(isAlwaysAsking = false) {
  const places = usePlaces();
  const left = useRef<Place>(null);

  return useCallback(
    async <Data>(call: () => Promise<ActionResult<Data>>): Promise<ActionResult<Data> | null> => {
      if (places && (left.current || isAlwaysAsking)) {
        const now = await answerOf(places.read);
        if (!now?.ok) return now;
        if (!isSame(now.data, left.current ?? places.shown)) return ELSEWHERE;
      }
      left.current = null;
      const result = await answerOf(call);
      if (!(await isSignedOut(result, places?.read))) return result;
      left.current = places?.shown ?? null;
      return SIGNED_OUT;
    },
    [places, isAlwaysAsking],
  );
}

/** For whoever is signed out, the actions of staff are not there: then the place tells. */
async function isSignedOut(result: ActionResult<unknown> | null, read?: () => Promise<ActionResult<Place>>) {
  if (!result || result.ok) return false;
  if (result.code !== "NOT_FOUND" || !read) return result.code === "SIGNED_OUT";
  const now = await answerOf(read);
  return now !== null && !now.ok && now.code === "SIGNED_OUT";
}

async function answerOf<Data>(call: () => Promise<ActionResult<Data>>): Promise<ActionResult<Data> | null> {
  try {
    return await call();
  } catch (error) {
    // Next ends an action that redirects by throwing; that goes on to Next.
    if (error instanceof Error && "digest" in error && String(error.digest).startsWith("NEXT_")) throw error;
    return null;
  }
}

function isSame(place: Place, other: Place): boolean {
  return place.userId === other.userId && place.projectId === other.projectId;
}
