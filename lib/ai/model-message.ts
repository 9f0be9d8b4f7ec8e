import type { OutputSchema } from "@/lib/domain/schema-keywords";

/** One part of a message: text, or a picture as its file's bytes. */
export type ModelPart = { type: "text"; text: string } | { type: "image"; mediaType: string; bytes: Uint8Array };

/** Of all pictures among these. */
export function pictureBytes(parts: readonly ModelPart[]): number {
  return parts.reduce((sum, part) => sum + (part.type === "image" ? part.bytes.byteLength : 0), 0);
}

/** A tool as the model is told of it. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** A JSON schema. */
  parameters: Record<string, unknown>;
}

/** What the model asks a tool for: foreign text, to be checked before anything is done with it. */
export interface ToolCall {
  id: string;
  name: string;
  /** JSON, as the model wrote it. */
  argumentsText: string;
  /** What the server put beside it, such as a signature of the model's thoughts: it wants it back as it came. */
  extraContent?: object;
}

/**
 * What a model thought before it called tools, in its server's fields: DeepSeek, OpenRouter and others refuse the tools' answer
 * without it. Foreign, for the same turn alone: not to be stored, shown or logged.
 */
export interface Thoughts {
  reasoning_content?: string;
  reasoning_details?: unknown[];
}

export interface ModelMessage {
  role: "system" | "user" | "assistant" | "tool";
  parts: ModelPart[];
  /** Of an assistant's message: the tools that it called. */
  toolCalls?: ToolCall[];
  /** Beside tool calls. */
  thoughts?: Thoughts;
  /** Of a tool's message: the call that it answers. */
  toolCallId?: string;
}

export interface AnswerRequest {
  model: string;
  /** Oldest first; the last one is what is answered. */
  messages: ModelMessage[];
  maxOutputTokens?: number;
  /** What the model may call instead of answering, or beside it. */
  tools?: ToolDefinition[];
  /** Has the model answer in text, whatever tools the conversation names. */
  isTextOnly?: boolean;
  /** What the answer has to be: a JSON Schema. Servers that do not know such a thing are asked without it. */
  outputSchema?: OutputSchema;
  /** Stops the call; what is thrown then is the signal's own reason. */
  signal?: AbortSignal;
  /** The same on every retry of one call. */
  idempotencyKey?: string;
  /** How many of its tries before this one a provider's limit refused. */
  refusedBefore?: number;
  /** Whether it was held to the model's pace: who asks tells that of its refusal. */
  isPaced?: boolean;
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
  /** The tools that the model called; absent when it called none. */
  toolCalls?: ToolCall[];
  /** Beside tool calls. */
  thoughts?: Thoughts;
}

export interface TranscriptionRequest {
  model: string;
  /** A whole file of sound, or a video with sound. */
  bytes: Uint8Array;
  /** The ending of a file's name by which providers know the container, e.g. "mp3". */
  format: string;
  /** What was said right before, of a recording that goes in pieces: names are then spelled alike. */
  saidBefore?: string;
  signal?: AbortSignal;
}

export interface Transcript {
  text: string;
  /** Length of the sound, where the provider says it. */
  seconds?: number;
}

/** A finished file that the provider makes: its bytes as they come. */
export type MadeBytes = AsyncIterable<Uint8Array>;

/** What every call that makes something carries along. */
export interface MakeOptions {
  signal?: AbortSignal;
  /** The same on every retry of one order, for providers that heed it. */
  idempotencyKey?: string;
}

export interface ImageOrder {
  model: string;
  prompt: string;
  shape: "square" | "landscape" | "portrait";
}

export interface SpeechOrder {
  model: string;
  text: string;
  voice: string;
  /** Tone and pace, for models that heed it. */
  manner?: string;
}

export interface VideoOrder {
  model: string;
  prompt: string;
  seconds: number;
  shape: "landscape" | "portrait";
}

/** State of a video that is being made. */
export type VideoState = { status: "working" } | { status: "completed" };

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
   * @throws TurnError as above; UNSUPPORTED_FILE when the provider cannot read the file, or does not transcribe
   */
  transcribe(request: TranscriptionRequest): Promise<Transcript>;
  /**
   * Makes a picture.
   * @throws TurnError as `streamAnswer`; UNSUPPORTED_OUTPUT when the provider makes none, or gives it in no usable form
   */
  createImage(order: ImageOrder, options: MakeOptions): Promise<MadeBytes>;
  /**
   * Speaks a text.
   * @throws TurnError as `createImage`; reading the bytes may throw it too
   */
  createSpeech(order: SpeechOrder, options: MakeOptions): Promise<MadeBytes>;
  /**
   * Has a video made, which takes minutes.
   * @returns the provider's name of the work
   * @throws TurnError as `createImage`
   */
  startVideo(order: VideoOrder, options: MakeOptions): Promise<string>;
  /**
   * How far the work on a video is.
   * @throws TurnError MODEL_REJECTED when it failed for good; as `createImage`
   */
  readVideo(jobId: string, options: MakeOptions): Promise<VideoState>;
  /**
   * A completed video.
   * @throws TurnError as `createSpeech`
   */
  openVideo(jobId: string, options: MakeOptions): Promise<MadeBytes>;
}
