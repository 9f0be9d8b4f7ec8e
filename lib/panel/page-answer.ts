import type { AsyncLocalStorage } from "node:async_hooks";
import { processSingleton } from "@/lib/process-singleton";

/** What scripts/serve.ts keeps of a page under way: Next gives a page no hand in its status but 404, and 500 for all else. */
export interface PageAnswer {
  /** As `X-Request-Id` says it, for the log. */
  requestId: string;
  /** The database was away: whoever asked may try again then. */
  retryAfterSeconds?: number;
  /**
   * Somebody called an action, and nothing of ours has begun yet: what Next fails at then is the call. Anybody can send one that
   * it cannot read, is for another build, or comes from another site.
   */
  isUnreadCall?: boolean;
}

/** Of the page that is being made; undefined where another server than ours hosts Next. */
export function pageAnswer(): PageAnswer | undefined {
  return processSingleton<AsyncLocalStorage<PageAnswer> | null>("page-answers", () => null)?.getStore();
}

/** What actions and pages do first: from here on whatever fails is a fault of ours. */
export function beginWork(): void {
  const answer = pageAnswer();
  if (answer) answer.isUnreadCall = false;
}
