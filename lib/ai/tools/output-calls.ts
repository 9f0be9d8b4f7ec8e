import { APIError } from "openai";
import { explainModelError, modelError } from "@/lib/ai/explain-model-error";
import type { MadeBytes, MakeOptions } from "@/lib/ai/model-message";
import { type StreamWatch, watchStream } from "@/lib/ai/watch-stream";
import { TurnError } from "@/lib/domain/turn-errors";

/** The most time for one call, in milliseconds, and between two arrivals of bytes while a file comes. */
export interface CallLimits {
  totalMs: number;
  idleMs: number;
}

/** What a call is about, for words to the client. */
export type MadeKind = "picture" | "speech" | "video";

/** One call whose answer is short. @throws TurnError; the signal's own reason when it stops the call */
export async function callProvider<Result>(
  kind: MadeKind,
  { signal }: MakeOptions,
  limits: CallLimits,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const watch = watchStream({ idleMs: limits.totalMs, totalMs: limits.totalMs }, signal);
  try {
    signal?.throwIfAborted();
    return await call(watch.signal);
  } catch (error) {
    throw explain(kind, error, watch, signal);
  } finally {
    watch.dispose();
  }
}

/**
 * One call whose answer is a file. Its status is known when this resolves; the bytes come as they are read, under the same
 * watch.
 * @throws TurnError; the signal's own reason when it stops the call
 */
export async function openProviderFile(
  kind: MadeKind,
  { signal }: MakeOptions,
  limits: CallLimits,
  call: (signal: AbortSignal) => Promise<Response>,
): Promise<MadeBytes> {
  // Nothing comes before the file is made: until then the longer limit counts.
  const opening = watchStream({ idleMs: limits.totalMs, totalMs: limits.totalMs }, signal);
  const closing = new AbortController();
  let response: Response;
  try {
    signal?.throwIfAborted();
    response = await call(AbortSignal.any([opening.signal, closing.signal]));
  } catch (error) {
    throw explain(kind, error, opening, signal);
  } finally {
    opening.dispose();
  }
  const watch = watchStream(limits, signal);
  const stop = () => closing.abort();
  // From here on, so that bytes which nobody begins to read hold their connection no longer than silence may last.
  watch.signal.addEventListener("abort", stop, { once: true });
  if (watch.signal.aborted) stop();
  return readBody(kind, response, watch, closing, signal);
}

async function* readBody(
  kind: MadeKind,
  response: Response,
  watch: StreamWatch,
  closing: AbortController,
  outer: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) {
      watch.touch();
      yield chunk;
    }
  } catch (error) {
    throw explain(kind, error, watch, outer);
  } finally {
    watch.dispose();
    // Whoever stops reading early lets go of the connection.
    closing.abort();
  }
}

function explain(kind: MadeKind, error: unknown, watch: StreamWatch, outer: AbortSignal | undefined): unknown {
  if (watch.cause() === "outside") return outer?.reason;
  if (watch.late()) return modelError("MODEL_TIMEOUT", { cause: watch.late(), isRetryable: true });
  return explainOutputError(kind, error);
}

/** Some refusals mean another thing here than for an answer. */
function explainOutputError(kind: MadeKind, error: unknown): TurnError {
  if (!(error instanceof APIError)) return explainModelError(error);
  const { status, code } = error;
  if (code === "model_not_found") {
    return modelError(
      "MODEL_NOT_CONFIGURED",
      { cause: error },
      `The AI model server does not know the model set for ${NOUN[kind]}. The operator has to set it right.`,
    );
  }
  if (status === 404 || status === 405 || status === 410 || status === 501) return unsupportedOutput(kind, error);
  if (status === 400 || status === 422) return refusedOutput(kind, error);
  return explainModelError(error);
}

const NOUN: Record<MadeKind, string> = { picture: "pictures", speech: "speech", video: "videos" };

/** The provider does not make such a thing. */
export function unsupportedOutput(kind: MadeKind, cause?: unknown): TurnError {
  return new TurnError("UNSUPPORTED_OUTPUT", `The AI model server of this service does not make ${NOUN[kind]}.`, {
    cause,
  });
}

/** The provider will not make this one. */
export function refusedOutput(kind: MadeKind, cause?: unknown): TurnError {
  return modelError(
    "MODEL_REJECTED",
    { cause },
    `The AI model server refused to make this ${kind === "speech" ? "recording" : kind}. Change the instruction and try again.`,
  );
}
