import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef } from "react";
import { answerOf } from "@/components/ui/answer-of";
import { isSamePlace, usePlaces } from "@/components/ui/place";
import { refreshOnceThere } from "@/components/ui/refresh-when-there";
import { isFailure } from "@/components/ui/refusal";

interface LostAnswer {
  /** Draws the page anew once the service can be reached. */
  redraw: () => void;
  /** An answer came: nothing is drawn anew for the one before. */
  settle: () => void;
}

/**
 * What a page does whose press got no answer, or came too late: it may show what is no longer so, and its reader is told to
 * look. It stays as it is where drawing it anew would lead away from what is typed there: to a sign-in, or to another project.
 */
export function useLostAnswer(): LostAnswer {
  const router = useRouter();
  const places = usePlaces();
  // Another one with each answer that is lost; null: nobody waits.
  const waiting = useRef<object>(null);

  const settle = useCallback(() => {
    waiting.current = null;
  }, []);
  useEffect(() => settle, [settle]);

  const redraw = useCallback(() => {
    const mine = {};
    waiting.current = mine;
    const isStillHere = async () => {
      if (!places) return true;
      const now = await answerOf(places.read);
      if (now === null || isFailure(now, "SERVICE_UNAVAILABLE")) return null;
      return now.ok && isSamePlace(now.data, places.shown);
    };
    void refreshOnceThere(router, () => waiting.current === mine, isStillHere);
  }, [router, places]);

  return { redraw, settle };
}
