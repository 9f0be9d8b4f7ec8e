import { AppError, type ErrorCode } from "@/lib/domain/errors";
import { BODY_IDLE_SECONDS } from "@/lib/domain/limits";

export interface BodyPatience {
  /** The longest wait for the next bytes. Default: BODY_IDLE_SECONDS. */
  idleSeconds?: number;
  /** The longest wait for the end. Default: none, as long as bytes come. */
  totalSeconds?: number;
}

/** How a body that does not come is refused. */
interface Refusal {
  code: ErrorCode;
  /** What the client sends again: "the file". */
  what: string;
  cutOff: string;
}

/**
 * The bytes of a body as they arrive. Counts no time in which nobody asks for them. When it throws, the reader is still
 * the caller's: to drain, so that the connection is let go.
 * @throws AppError with the code of `refusal`, for a body that falls silent or breaks off
 */
export async function* readInTime(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  { idleSeconds = BODY_IDLE_SECONDS }: Pick<BodyPatience, "idleSeconds">,
  refusal: Refusal,
): AsyncGenerator<Uint8Array> {
  if (!reader) return;
  for (;;) {
    const { done, value } = await nextChunk(reader, idleSeconds, refusal);
    if (done) return;
    yield value;
  }
}

/** The same patience for a body that is read in one go: two timers for all of it, for what is read with every call. */
export interface Patience {
  /** Rejects when nothing was heard for too long, or when it takes too long in all. */
  isOver: Promise<never>;
  hasEnded(): boolean;
  /** Bytes came. */
  heard(): void;
  /** The body is there, or nobody waits for it any more. */
  end(): void;
}

/** Starts the wait for a body; whoever reads it says when bytes come, and ends it. */
export function startPatience(
  { idleSeconds = BODY_IDLE_SECONDS, totalSeconds = Number.POSITIVE_INFINITY }: BodyPatience,
  refusal: Refusal,
): Patience {
  const timers: NodeJS.Timeout[] = [];
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    for (const timer of timers) clearTimeout(timer);
  };
  const isOver = new Promise<never>((_resolve, reject) => {
    const giveUpAfter = (seconds: number, error: () => AppError) => {
      if (seconds === Number.POSITIVE_INFINITY) return;
      timers.push(
        setTimeout(() => {
          end();
          reject(error());
        }, seconds * 1_000),
      );
    };
    giveUpAfter(idleSeconds, () => silent(refusal, idleSeconds));
    giveUpAfter(totalSeconds, () => late(refusal, totalSeconds));
  });
  return { isOver, hasEnded: () => hasEnded, heard: () => void (hasEnded || timers[0]?.refresh()), end };
}

function silent({ code, what }: Refusal, seconds: number): AppError {
  return bodyMissing(code, `No bytes arrived for ${seconds} s; send ${what} again.`);
}

function late({ code, what }: Refusal, seconds: number): AppError {
  return bodyMissing(code, `The body did not arrive within ${seconds} s; send ${what} again.`);
}

/** A body of which the rest never came: the line was at fault, not what the client says, so the same call may well pass. */
export function bodyMissing(code: ErrorCode, message: string, cause?: unknown): AppError {
  return new AppError(code, message, { cause, isRetryable: true });
}

async function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  idleSeconds: number,
  refusal: Refusal,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(silent(refusal, idleSeconds)), idleSeconds * 1_000);
  });
  const chunk = reader.read().catch((cause: unknown) => {
    throw bodyMissing(refusal.code, refusal.cutOff, cause);
  });
  try {
    return await Promise.race([chunk, silence]);
  } finally {
    clearTimeout(timer);
  }
}
