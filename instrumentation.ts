import type { Instrumentation } from "next";
import { backgroundStart } from "@/lib/background-start";
import { processSingleton } from "@/lib/process-singleton";

/** Next calls this once per server process, before it answers anything; never during a build. */
export async function register(): Promise<void> {
  // In this function with what follows: the build for the other runtime leaves out what cannot be reached.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  try {
    const { outliveReaders } = await import("@/lib/log");
    outliveReaders();
    const { completeAnswersOfNext } = await import("@/lib/http/complete-answers-of-next");
    completeAnswersOfNext();
    const { nameSendersOfNext } = await import("@/lib/http/name-senders-of-next");
    nameSendersOfNext();
    const { env, requireServerSettings } = await import("@/lib/env");
    const { connectFetch } = await import("@/lib/connect-fetch");
    connectFetch(env());
    requireServerSettings(env());
    if (process.env.NODE_ENV === "production") {
      const { logConsole } = await import("@/lib/panel/log-console");
      logConsole();
    }
    // next-auth reads its own address from here alone.
    process.env.NEXTAUTH_URL = env().APP_URL;
    const { startBackground } = await import("@/inngest/start-background");
    const stop = await startBackground();
    const { startMetricsServer } = await import("@/lib/http/metrics-server");
    const stopMetrics = await startMetricsServer();
    // The server that hosts Next runs these on a graceful stop.
    processSingleton<(() => Promise<void>)[]>("shutdown", () => []).push(stop, stopMetrics);
    backgroundStart().resolve({ failure: null });
  } catch (error) {
    backgroundStart().resolve({ failure: error as Error });
    throw error;
  }
}

/** What a page threw: Next, which is told to be quiet, writes none of it down. Whoever saw the page quotes its digest. */
export const onRequestError: Instrumentation.onRequestError = async (error, _request, { routePath }) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const [{ log }, { isAwayDigest }, { pageAnswer }] = await Promise.all([
    import("@/lib/log"),
    import("@/lib/domain/away-digest"),
    import("@/lib/panel/page-answer"),
  ]);
  const { requestId, isUnreadCall } = pageAnswer() ?? {};
  if (isUnreadCall) return;
  const { digest } = error as { digest?: string };
  // Its path as the source has it: the one that was asked for may hold a secret, such as that of an invitation.
  log(
    isAwayDigest(digest) ? "warn" : "error",
    "A page could not be shown.",
    { requestId, digest, page: routePath },
    error,
  );
};
