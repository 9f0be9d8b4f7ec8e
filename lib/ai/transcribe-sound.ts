import { APIError, type OpenAI, toStreamingFile } from "openai";
import type { Transcription } from "openai/resources/audio/transcriptions";
import { endlessAnswer, MAX_ANSWER_CHARACTERS, readWhole } from "@/lib/ai/endless-answer";
import { toProviderError } from "@/lib/ai/error-body";
import { explainModelError, modelError } from "@/lib/ai/explain-model-error";
import type { Transcript, TranscriptionRequest } from "@/lib/ai/model-message";
import { isAddressWrong, isModelUnknown } from "@/lib/ai/provider-words";
import { watchStream } from "@/lib/ai/watch-stream";
import { cleanText } from "@/lib/domain/chunk-text";
import { TurnError } from "@/lib/domain/turn-errors";

/**
 * One call of the transcription endpoint. The bytes go out in pieces, without a second copy of the file, under a name
 * of ours: the sender's tells the provider nothing that it has to know.
 * @param totalMs for the whole call
 * @throws TurnError as the port says; the signal's own reason when it stops the call
 */
export async function transcribeSound(
  client: OpenAI,
  { model, bytes, format, saidBefore, signal }: TranscriptionRequest,
  totalMs: number,
): Promise<Transcript> {
  const watch = watchStream({ idleMs: totalMs, totalMs }, signal);
  try {
    signal?.throwIfAborted();
    const file = toStreamingFile(inPieces(bytes), `sound.${format}`);
    const response = await client.audio.transcriptions
      .create(
        { file, model, response_format: "json", ...(saidBefore && { prompt: saidBefore }) },
        { signal: watch.signal },
      )
      .asResponse();
    const whole = await readWhole(response, MAX_ANSWER_CHARACTERS, endlessAnswer);
    const answer = JSON.parse(whole) as Transcription | null;
    if (typeof answer?.text !== "string") throw errorIn(answer);
    const seconds = answer.usage?.type === "duration" ? answer.usage.seconds : undefined;
    return { text: cleanText(answer.text), ...(isLength(seconds) && { seconds }) };
  } catch (error) {
    if (watch.cause() === "outside") throw signal?.reason;
    if (watch.late()) throw modelError("MODEL_TIMEOUT", { cause: watch.late(), isRetryable: true });
    throw explainTranscriptionError(error);
  } finally {
    watch.dispose();
  }
}

const PIECE_BYTES = 64 * 1024;

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) {
    yield new Uint8Array(bytes.subarray(start, start + PIECE_BYTES));
  }
}

function isLength(seconds: unknown): seconds is number {
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0;
}

/** Some servers refuse with the status of a good answer. */
function errorIn(answer: unknown): Error {
  const error =
    typeof answer === "object" && answer !== null && "error" in answer ? toProviderError(answer) : undefined;
  return error ? new APIError(undefined, error, undefined, undefined) : new Error("an answer without a text");
}

/** Some refusals mean another thing here than for an answer. */
function explainTranscriptionError(error: unknown): TurnError {
  if (!(error instanceof APIError)) return explainModelError(error);
  const { status, code } = error;
  if (code === "model_not_found") return modelError("MODEL_NOT_CONFIGURED", { cause: error }, NO_MODEL_MESSAGE);
  if (status === 400 && isModelUnknown(error))
    return modelError("MODEL_NOT_CONFIGURED", { cause: error }, NO_MODEL_MESSAGE);
  if (isAddressWrong(error) || status === 501 || /not support transcription/i.test(error.message)) {
    return new TurnError("UNSUPPORTED_FILE", NO_ENDPOINT_MESSAGE, { cause: error });
  }
  if (status === 413) return new TurnError("UNSUPPORTED_FILE", TOO_LARGE_MESSAGE, { cause: error });
  if (status === 400 || status === 415 || status === 422) {
    return new TurnError("UNSUPPORTED_FILE", UNREADABLE_MESSAGE, { cause: error });
  }
  return explainModelError(error);
}

const NO_MODEL_MESSAGE =
  "The AI model server does not know the model set for transcription. The operator has to set it right.";
const NO_ENDPOINT_MESSAGE = "The file holds sound, and the AI model server of this service does not transcribe sound.";
const TOO_LARGE_MESSAGE = "The file holds more sound than the AI model server takes at once. Send it in parts.";
const UNREADABLE_MESSAGE =
  "The sound of the file could not be read: it is damaged, too long, or not what it says it is.";
