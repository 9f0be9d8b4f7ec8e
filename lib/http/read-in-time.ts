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
 * @throws AppError with the code of `refusal`, for a body that falls silent, takes too long or breaks off
 */
export async function* readInTime(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  { idleSeconds = BODY_IDLE_SECONDS, totalSeconds = Number.POSITIVE_INFINITY }: BodyPatience,
  refusal: Refusal,
): AsyncGenerator<Uint8Array> {
  if (!reader) return;
  const endsAtMs = performance.now() + totalSeconds * 1_000;
  const again = `send ${refusal.what} again.`;
  for (;;) {
    const leftMs = endsAtMs - performance.now();
    const isLastWait = leftMs < idleSeconds * 1_000;
    const { done, value } = await nextChunk(reader, isLastWait ? leftMs : idleSeconds * 1_000, {
      late: () =>
        new AppError(
          refusal.code,
          isLastWait
            ? `The body did not arrive within ${totalSeconds} s; ${again}`
            : `No bytes arrived for ${idleSeconds} s; ${again}`,
        ),
      cutOff: (cause) => new AppError(refusal.code, refusal.cutOff, { cause }),
    });
    if (done) return;
    yield value;
  }
}

async function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  waitMs: number,
  errors: { late(): AppError; cutOff(cause: unknown): AppError },
) {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(errors.late()), waitMs);
  });
  const chunk = reader.read().catch((cause: unknown) => {
    throw errors.cutOff(cause);
  });
  try {
    return await Promise.race([chunk, silence]);
  } finally {
    clearTimeout(timer);
    // After a silence nobody waits for it.
    chunk.catch(() => {});
  }
}
