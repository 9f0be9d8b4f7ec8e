import { processSingleton } from "@/lib/process-singleton";

/** How long what happens again and again is no news once it was told. */
const NEWS_EVERY_MS = 300_000;

type Happening = "turn-tried-again" | "provider-failed" | "fallback-failed" | "model-limited";

/**
 * Whether the log was not told of such a thing within five minutes; what is asked about counts as told.
 * @param of what it happened to, where it is told of each alone
 */
export function isNews(what: Happening, of = ""): boolean {
  const last = processSingleton(`news-${what}${of && `-${of}`}`, () => ({ atMs: Number.NEGATIVE_INFINITY }));
  const nowMs = performance.now();
  if (nowMs - last.atMs < NEWS_EVERY_MS) return false;
  last.atMs = nowMs;
  return true;
}
