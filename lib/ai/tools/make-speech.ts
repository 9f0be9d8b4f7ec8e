import type { OpenAI } from "openai";
import type { MadeBytes, MakeOptions, SpeechOrder } from "@/lib/ai/model-message";
import { headersOf } from "@/lib/ai/tools/make-image";
import { type CallLimits, openProviderFile } from "@/lib/ai/tools/output-calls";

/** One call of the speech endpoint, which streams the recording. */
export function makeSpeech(
  client: OpenAI,
  { model, text, voice, manner }: SpeechOrder,
  options: MakeOptions,
  limits: CallLimits,
): Promise<MadeBytes> {
  // The oldest models refuse instructions.
  const instructions = manner !== undefined && !/(^|\/)tts-1/i.test(model) ? { instructions: manner } : {};
  const body = { model, input: text, voice, response_format: "mp3" as const, ...instructions };
  return openProviderFile("speech", options, limits, (signal) =>
    client.audio.speech.create(body, { signal, ...headersOf(options) }).asResponse(),
  );
}
