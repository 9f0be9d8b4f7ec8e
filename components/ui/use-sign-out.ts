"use client";

import { useTransition } from "react";
import { answerOf } from "@/components/ui/answer-of";

const UNREACHED = "The server could not be reached, and you may still be signed in. Try again.";

/**
 * Ends this browser's session, which leads to the sign-in. Where that gets no answer the page stays as it is: left to React,
 * the error would take its place with all that was typed.
 * @param say what to say then
 */
export function useSignOut(signOut: () => Promise<void>, say: (words: string) => void) {
  const [isPending, startTransition] = useTransition();
  const leave = () => {
    if (isPending) return;
    startTransition(async () => {
      const result = await answerOf(async () => ({ ok: true, data: await signOut() }));
      if (!result?.ok) say(result?.message ?? UNREACHED);
    });
  };
  return { leave, isPending };
}
