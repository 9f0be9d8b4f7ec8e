import { fetch } from "undici";
import type { ByteRange } from "@/lib/domain/byte-range";
import { storeAway } from "@/lib/storage/store-away";

export interface BlobBytesOptions {
  /** As the store itself says it: the token may go there. */
  url: string;
  token: string;
  range: ByteRange | undefined;
  /** The longest wait for the answer, and for each piece of it. */
  silenceMs: number;
}

/**
 * The bytes of a file in Vercel Blob, whose library reads no ranges; null when it is gone. Not by the global `fetch`: Next puts
 * one in its place that keeps a copy of what is read, so that neither a refusal nor a download that nobody reads any more could be
 * let go of.
 * @throws AppError SERVICE_UNAVAILABLE, and so does the stream where it breaks or falls silent
 */
export async function readBlobBytes(
  options: BlobBytesOptions,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null> {
  const { url, token, range, silenceMs } = options;
  const patience = new Patience(silenceMs);
  const answer = fetch(url, {
    redirect: "error",
    signal: patience.signal,
    headers: {
      authorization: `Bearer ${token}`,
      "accept-encoding": "identity",
      ...(range && { range: `bytes=${range.start}-${range.end}` }),
    },
  });
  const response = await patience.waitFor(answer);
  if (response.status === (range ? 206 : 200) && response.body) {
    return inTime(response.body.getReader(), patience);
  }
  await response.body?.cancel();
  if (response.status === 404) return null;
  throw storeAway(new Error(`The store answered ${response.status} to a read.`));
}

/** Ends a request whose store says nothing for too long while it is waited for. */
class Patience {
  private readonly stop = new AbortController();

  constructor(private readonly silenceMs: number) {}

  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** @throws AppError SERVICE_UNAVAILABLE when it fails, or does not come in time */
  async waitFor<T>(answer: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.stop.abort(new Error("The store fell silent.")), this.silenceMs);
    try {
      return await answer;
    } catch (error) {
      throw storeAway(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Asks for no piece before it is wanted: a client that reads slowly is not the store's silence. */
function inTime(
  reader: Pick<ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>, "read" | "cancel">,
  patience: Patience,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await patience.waitFor(reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
