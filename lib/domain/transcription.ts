/** What sound costs to transcribe and what its transcript comes to, known from its length or its size. */

/** What providers take as one file of sound; more goes in pieces. */
export const MAX_SOUND_BYTES = 25 * 1024 * 1024;
/** Of a piece, without what its container adds. */
export const PIECE_BYTES = 24 * 1024 * 1024;
export const PIECE_SECONDS = 20 * 60;
/** A longer recording is not transcribed. */
export const MAX_SOUND_HOURS = 12;
export const MAX_SOUND_SECONDS = MAX_SOUND_HOURS * 3600;

/** Some models take no longer sound at once, however few bytes it has. */
const WHOLE_SECONDS: readonly [model: RegExp, seconds: number][] = [[/^gpt-4o(-mini)?-transcribe/, 1400]];

/**
 * Whether sound of so many seconds goes to the model in one piece, as far as its length is concerned.
 * @param seconds undefined when its file does not say it
 */
export function isShortEnough(model: string, seconds: number | undefined): boolean {
  const most = WHOLE_SECONDS.find(([models]) => models.test(model))?.[1];
  return most === undefined || (seconds !== undefined && seconds <= most);
}

/** Credits for one minute: the provider's list in USD, with a credit worth about 0.01 USD. */
const CREDITS_PER_MINUTE: Readonly<Record<string, number>> = {
  "whisper-1": 0.6,
  "gpt-4o-transcribe": 0.6,
  "gpt-4o-mini-transcribe": 0.3,
};
const USUAL_CREDITS_PER_MINUTE = 0.6;

/**
 * Credits for transcribing a file, whole and at least 1, beside those for the answer.
 * @param model as set for transcription; one that is not in the list costs the usual
 */
export function transcriptionCredits(model: string, seconds: number): number {
  const perMinute = Object.hasOwn(CREDITS_PER_MINUTE, model) ? CREDITS_PER_MINUTE[model] : undefined;
  // Rounded first: in fractions, ten minutes at 0.6 would come to a hair above six.
  const thousandths = Math.round((seconds / 60) * (perMinute ?? USUAL_CREDITS_PER_MINUTE) * 1000);
  return Math.max(1, Math.ceil(thousandths / 1000));
}

/** Estimated tokens of what is said in so many seconds, at the usual pace. */
export function transcriptTokens(seconds: number): number {
  return Math.ceil(seconds * TOKENS_PER_SECOND);
}

const TOKENS_PER_SECOND = 3.5;

/**
 * Seconds of sound in a file of this size, before anything of it is read.
 * @param contentType of its content; sound without compression is told apart by it
 */
export function guessSoundSeconds(bytes: number, contentType = ""): number {
  const isPlain = /^audio\/(x-|vnd\.)?wave?$/.test(contentType);
  return (
    bytes /
    (contentType.startsWith("video/") ? VIDEO_BYTES_PER_SECOND : isPlain ? WAV_BYTES_PER_SECOND : BYTES_PER_SECOND)
  );
}

/** Of speech as recorders and messengers compress it. */
const BYTES_PER_SECOND = 16_000;
const WAV_BYTES_PER_SECOND = 32_000;
const VIDEO_BYTES_PER_SECOND = 64_000;
