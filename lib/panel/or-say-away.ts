import type { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { awayDigest } from "@/lib/domain/away-digest";
import { processSingleton } from "@/lib/process-singleton";
import { isServiceAway } from "@/lib/services/health/is-service-away";

/** What scripts/serve.ts keeps of a page under way: Next gives a page no hand in its status but 404, and 500 for all else. */
export interface PageAnswer {
  isDatabaseAway: boolean;
}

/**
 * What a page reads first. When the database is away the page says that, and not that it broke: the error goes on with a digest
 * that the browser knows, and the answer is a 503. Any other error goes on as it is.
 */
export async function orSayAway<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isServiceAway(error)) markAway(error as { digest?: string });
    throw error;
  }
}

function markAway(error: { digest?: string }): void {
  error.digest ??= awayDigest(randomBytes(5).toString("hex"));
  const answer = answers()?.getStore();
  if (answer) answer.isDatabaseAway = true;
}

/** Null where another server than ours hosts Next. */
function answers(): AsyncLocalStorage<PageAnswer> | null {
  return processSingleton<AsyncLocalStorage<PageAnswer> | null>("page-answers", () => null);
}
