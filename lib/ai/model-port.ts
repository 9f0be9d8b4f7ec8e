import { type Fallback, withFallback } from "@/lib/ai/ask-with-fallback";
import type {
  AnswerRequest,
  ImageOrder,
  MadeBytes,
  MakeOptions,
  ModelAnswer,
  ModelPort,
  SpeechOrder,
  Transcript,
  TranscriptionRequest,
  VideoOrder,
  VideoState,
} from "@/lib/ai/model-message";
import { modelPaces } from "@/lib/ai/model-pace";
import { createOpenAiModel } from "@/lib/ai/openai-adapter";
import { isPassingLimit } from "@/lib/ai/retry-delay";
import { TurnError } from "@/lib/domain/turn-errors";
import { type Env, env } from "@/lib/env";
import { countModelTokens, observeModelCall } from "@/lib/metrics";
import { processSingleton } from "@/lib/process-singleton";

/**
 * Asks the configured model, or what stands in for it, and hands on its text as it comes; nothing is retried here, the queue does
 * that.
 * One client per process keeps connections open.
 * @param onDelta absent where nobody is told of the answer before it is whole: where it breaks off, what stands in may give another
 * @throws TurnError MODEL_RATE_LIMITED, MODEL_UNAVAILABLE, MODEL_TIMEOUT, MODEL_NOT_CONFIGURED, MODEL_REJECTED;
 * the signal's own reason when `request.signal` stops the call
 */
export async function streamAnswer(request: AnswerRequest, onDelta?: (text: string) => void): Promise<ModelAnswer> {
  const answer = await heard(request, answering()(request, onDelta));
  countModelTokens(answer.tokensIn, answer.tokensOut);
  return answer;
}

/**
 * Has the configured provider write down what is said in a file; nothing is retried here.
 * @throws TurnError as `streamAnswer`; UNSUPPORTED_FILE when the provider cannot read the file, or its server does
 * not transcribe
 */
export async function transcribe(request: TranscriptionRequest): Promise<Transcript> {
  return observed("transcription", () => configuredModel().transcribe(request));
}

/** Has the configured provider make a picture. @throws TurnError as the port says */
export async function createImage(order: ImageOrder, options: MakeOptions): Promise<MadeBytes> {
  return observed("image", () => configuredModel().createImage(order, options));
}

/** Has the configured provider speak a text. @throws TurnError as the port says */
export async function createSpeech(order: SpeechOrder, options: MakeOptions): Promise<MadeBytes> {
  return observed("speech", () => configuredModel().createSpeech(order, options));
}

/** Has the configured provider begin a video. @throws TurnError as the port says */
export async function startVideo(order: VideoOrder, options: MakeOptions): Promise<string> {
  return observed("video", () => configuredModel().startVideo(order, options));
}

/** Asks the configured provider how far a video is. @throws TurnError as the port says */
export async function readVideo(jobId: string, options: MakeOptions): Promise<VideoState> {
  return observed("video-state", () => configuredModel().readVideo(jobId, options));
}

/** A completed video of the configured provider. @throws TurnError as the port says */
export async function openVideo(jobId: string, options: MakeOptions): Promise<MadeBytes> {
  return observed("video-bytes", () => configuredModel().openVideo(jobId, options));
}

/** What holds calls back while a limit lasts knows how all of them went, whatever is between this and the provider. */
async function heard(request: AnswerRequest, call: Promise<ModelAnswer>): Promise<ModelAnswer> {
  const { model, refusedBefore, isPaced = false } = request;
  try {
    const answer = await call;
    modelPaces().find(model)?.answered();
    return answer;
  } catch (error) {
    const isOfLimit = error instanceof TurnError && isPassingLimit(error) && !isPaced;
    if (isOfLimit) modelPaces().refused(model, refusedBefore);
    throw error;
  }
}

/** Notes how a call of the model went; one that its caller stopped is no fault of the model. */
async function observed<T>(kind: string, call: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  let outcome = "ok";
  try {
    return await call();
  } catch (error) {
    outcome = error instanceof TurnError ? error.code : "stopped";
    throw error;
  } finally {
    observeModelCall(kind, outcome, (performance.now() - startedAtMs) / 1_000);
  }
}

const KINDS = { provider: "answer", fallback: "answer-fallback" };

/** How answers are asked for: of the provider alone, or with what stands in for it. */
function answering(): ReturnType<typeof withFallback> {
  const provider = configuredModel();
  return processSingleton("model-answering", () => {
    const fallback = configuredFallback(provider);
    return fallback
      ? withFallback(provider, fallback, (who, ask) => observed(KINDS[who], ask))
      : (request, onDelta) => observed(KINDS.provider, () => provider.streamAnswer(request, onDelta ?? (() => {})));
  });
}

/** A key or an address of its own is that of another provider; with a model's name alone it is the same one again. */
function configuredFallback(provider: ModelPort): Fallback | null {
  const settings = env();
  const { FALLBACK_API_KEY: apiKey, FALLBACK_BASE_URL: baseUrl, FALLBACK_MODEL: model = null } = settings;
  if (apiKey === undefined && baseUrl === undefined) return model === null ? null : { port: provider, model };
  return { port: createOpenAiModel({ apiKey, baseUrl, ...connectionOf(settings) }), model };
}

function connectionOf(settings: Env) {
  const { MODEL_IDLE_TIMEOUT_SECONDS: idleTimeoutSeconds, MODEL_TIMEOUT_SECONDS: timeoutSeconds } = settings;
  return { idleTimeoutSeconds, timeoutSeconds, proxies: settings };
}

function configuredModel(): ModelPort {
  const settings = env();
  // A compatible server of one's own often wants no key; the public one always does.
  if (!settings.OPENAI_API_KEY && !settings.OPENAI_BASE_URL) {
    throw new TurnError("MODEL_NOT_CONFIGURED", "No AI model is configured for this service.");
  }
  return processSingleton("model", () =>
    createOpenAiModel({
      apiKey: settings.OPENAI_API_KEY,
      baseUrl: settings.OPENAI_BASE_URL,
      ...connectionOf(settings),
    }),
  );
}
