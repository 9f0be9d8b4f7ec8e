import type { AnswerRequest, ModelAnswer, ModelPort, Transcript, TranscriptionRequest } from "@/lib/ai/model-message";
import { createOpenAiModel } from "@/lib/ai/openai-adapter";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/process-singleton";

/**
 * Asks the configured model and hands on its text as it comes; nothing is retried here, the queue does that.
 * One client per process keeps connections open.
 * @throws TurnError MODEL_RATE_LIMITED, MODEL_UNAVAILABLE, MODEL_TIMEOUT, MODEL_NOT_CONFIGURED, MODEL_REJECTED;
 * the signal's own reason when `request.signal` stops the call
 */
export async function streamAnswer(request: AnswerRequest, onDelta: (text: string) => void): Promise<ModelAnswer> {
  return configuredModel().streamAnswer(request, onDelta);
}

/**
 * Has the configured provider write down what is said in a file; nothing is retried here.
 * @throws TurnError as `streamAnswer`; FILE_UNREADABLE when the provider cannot read the file, UNSUPPORTED_FILE when
 * its server does not transcribe
 */
export async function transcribe(request: TranscriptionRequest): Promise<Transcript> {
  return configuredModel().transcribe(request);
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
      idleTimeoutSeconds: settings.MODEL_IDLE_TIMEOUT_SECONDS,
      timeoutSeconds: settings.MODEL_TIMEOUT_SECONDS,
    }),
  );
}
