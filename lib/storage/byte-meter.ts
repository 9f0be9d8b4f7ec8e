import { AppError } from "@/lib/domain/errors";

/** Counts the bytes of a file as they pass. */
export class ByteMeter {
  /** Bytes so far. */
  size = 0;

  constructor(private readonly maxBytes: number) {}

  /** @throws AppError FILE_TOO_LARGE */
  add(chunk: Uint8Array): void {
    this.size += chunk.byteLength;
    if (this.size > this.maxBytes) throw fileTooLarge(this.maxBytes);
  }
}

/** The one wording of "too large" (contract §2, 413). @param number which of many it is, 1 for the first */
export function fileTooLarge(maxBytes: number, param = "file", number?: number): AppError {
  const limit = maxBytes >= 1024 * 1024 ? `${Math.floor(maxBytes / 1024 / 1024)} MB` : `${maxBytes} bytes`;
  const which = number === undefined ? param : `${param} number ${number}`;
  return new AppError("FILE_TOO_LARGE", `${which} must be at most ${limit}. Send a smaller file or split it.`, {
    param,
  });
}

/** The chunks of `body` until `signal` says stop; then throws its reason, also while waiting for a chunk. */
export async function* untilAborted(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if (!signal) return yield* body;
  signal.throwIfAborted();
  const iterator = body[Symbol.asyncIterator]();
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
  });
  aborted.catch(() => {});
  signal.addEventListener("abort", onAbort);
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Not awaited: an iterator that hangs in next() answers return() only after it.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
