/** One part of a message: text, or a picture as its file's bytes. */
export type ModelPart = { type: "text"; text: string } | { type: "image"; mediaType: string; bytes: Uint8Array };

export interface ModelMessage {
  role: "system" | "user" | "assistant";
  parts: ModelPart[];
}

export interface AnswerRequest {
  model: string;
  /** Oldest first; the last one is what is answered. */
  messages: ModelMessage[];
  maxOutputTokens?: number;
  /** Stops the call; what is thrown then is the signal's own reason. */
  signal?: AbortSignal;
  /** The same on every retry of one call. */
  idempotencyKey?: string;
  /** Tells end users apart at the provider without naming them. */
  endUserHash?: string;
}

export interface ModelAnswer {
  /** All deltas joined. */
  text: string;
  tokensIn: number;
  tokensOut: number;
  /** The provider gave no count, so both are estimates. */
  isEstimated: boolean;
  /** The model as the provider names it. */
  model: string;
  /** "stop", "length" (cut at the limit), "content_filter", or the provider's own word. */
  finishReason: string;
}

export interface TranscriptionRequest {
  model: string;
  /** A whole file of sound, or a video with sound. */
  bytes: Uint8Array;
  /** The ending of a file's name by which providers know the container, e.g. "mp3". */
  format: string;
  signal?: AbortSignal;
}

export interface Transcript {
  text: string;
  /** Length of the sound, where the provider says it. */
  seconds?: number;
}

/** What the service needs of a model provider. */
export interface ModelPort {
  /**
   * Asks for an answer and hands on its text as it comes.
   * @throws TurnError MODEL_RATE_LIMITED, MODEL_UNAVAILABLE, MODEL_TIMEOUT (these three may be tried again, except
   * when the provider's quota is used up), MODEL_NOT_CONFIGURED, MODEL_REJECTED
   */
  streamAnswer(request: AnswerRequest, onDelta: (text: string) => void): Promise<ModelAnswer>;
  /**
   * Writes down what is said in a file.
   * @throws TurnError as above; FILE_UNREADABLE when the provider cannot read the file, UNSUPPORTED_FILE when it
   * does not transcribe
   */
  transcribe(request: TranscriptionRequest): Promise<Transcript>;
}
