"use client";

import { createContext, type ReactNode, type RefObject, useRef } from "react";

/** What was sent last and got no answer yet, by which the service knows it when it comes again. */
export interface OpenAttempt {
  content: string;
  attempt: string;
}

/** Null: each form has its own. */
export const SharedAttemptContext = createContext<RefObject<OpenAttempt | undefined> | null>(null);

/**
 * For a page with several buttons for the same thing: what one of them has sent and got no answer for, another one sends
 * again. The one of an empty list is not there any more by then.
 */
export function SharedAttempt({ children }: { children: ReactNode }) {
  return <SharedAttemptContext value={useRef<OpenAttempt>(undefined)}>{children}</SharedAttemptContext>;
}
