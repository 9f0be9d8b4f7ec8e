import { createHash, type Hash } from "node:crypto";
import { BlobNotFoundError, createMultipartUploader, del, head, put } from "@vercel/blob";
import { generateClientTokenFromReadWriteToken } from "@vercel/blob/client";
import type { ByteRange } from "@/lib/domain/byte-range";
import { AppError } from "@/lib/domain/errors";
import { ByteMeter, untilAborted } from "@/lib/storage/byte-meter";
import type {
  FileStore,
  StoredBytes,
  UploadGrant,
  UploadGrantOptions,
  WriteOptions,
  WrittenFile,
} from "@/lib/storage/file-store";
import { isStorageKey } from "@/lib/storage/storage-key";

/**
 * The library's own multipart `put` holds up to 128 MB per file; parts of this size, two on their way, hold 18 MB.
 * The service takes no part below 5 MB but the last.
 */
const PART_BYTES = 6 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
/** For one request with the library's retries, which cannot be interrupted while they wait. */
const REQUEST_TIMEOUT_MS = 60_000;
const RETRY_WHEN_AWAY_SECONDS = 30;
/** Where the library itself puts files, and the version of that protocol which it speaks. */
const PUT_URL = "https://vercel.com/api/blob/";
const PROTOCOL_VERSION = "12";

export interface BlobFileStoreOptions {
  /** Of a store whose access is private; its files are reached through {storage_url}/files/<key> alone. */
  token: string;
  /** {storage_url} */
  publicUrl: string;
  requestTimeoutMs?: number;
}

/** Files in a private Vercel Blob store. */
export class BlobFileStore implements FileStore {
  readonly kind = "blob";

  constructor(private readonly options: BlobFileStoreOptions) {}

  async write(key: string, body: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<WrittenFile> {
    const pathname = pathOf(key);
    const meter = new ByteMeter(options.maxBytes);
    const hash = createHash("sha256");
    const stop = new AbortController();
    const parts = partsOf(untilAborted(body, options.signal), meter, hash);
    try {
      await this.upload(pathname, parts, { contentType: options.contentType, abortSignal: stop.signal });
    } catch (error) {
      stop.abort();
      await parts.return(undefined).catch(() => {});
      // Parts without a completion are no file, and the service forgets them; a completion whose answer was lost is one.
      await this.remove(key).catch(() => {});
      throw error;
    }
    return { size: meter.size, sha256: hash.digest("hex"), url: `${this.options.publicUrl}/files/${key}` };
  }

  async read(key: string, range?: ByteRange): Promise<StoredBytes | null> {
    if (!isStorageKey(key)) return null;
    const found = await this.ask((abortSignal) =>
      head(pathOf(key), { token: this.options.token, abortSignal }).catch((error: unknown) => {
        if (error instanceof BlobNotFoundError) return null;
        throw error;
      }),
    );
    if (!found) return null;
    const response = await this.ask(() => fetchBytes(found.url, this.options.token, range));
    if (response.status === 404) return null;
    if (response.status !== (range ? 206 : 200) || !response.body) {
      await response.body?.cancel();
      throw storeAway(new Error(`The store answered ${response.status} to a read.`));
    }
    return { stream: response.body, size: found.size };
  }

  async grantUpload(key: string, { maxBytes, expiresAt }: UploadGrantOptions): Promise<UploadGrant> {
    const pathname = pathOf(key);
    const token = await generateClientTokenFromReadWriteToken({
      token: this.options.token,
      pathname,
      maximumSizeInBytes: maxBytes,
      validUntil: expiresAt.getTime(),
      addRandomSuffix: false,
      allowOverwrite: false,
    });
    return {
      url: `${PUT_URL}?${new URLSearchParams({ pathname })}`,
      headers: {
        authorization: `Bearer ${token}`,
        "x-api-version": PROTOCOL_VERSION,
        "x-vercel-blob-access": "private",
      },
    };
  }

  async remove(key: string): Promise<void> {
    if (!isStorageKey(key)) return;
    await this.ask((abortSignal) =>
      del(pathOf(key), { token: this.options.token, abortSignal }).catch((error: unknown) => {
        if (!(error instanceof BlobNotFoundError)) throw error;
      }),
    );
  }

  private async upload(pathname: string, parts: AsyncGenerator<Buffer>, options: UploadOptions): Promise<void> {
    const command = {
      ...options,
      access: "private" as const,
      token: this.options.token,
      addRandomSuffix: false,
      // The key is new. Allowing it makes a repeated request (its first answer lost) succeed.
      allowOverwrite: true,
    };
    const first = await parts.next();
    if (first.done) throw new Error("partsOf() yields at least one part.");
    const second = await parts.next();
    if (second.done) {
      await this.ask(() => put(pathname, first.value, command));
      return;
    }
    const uploader = await this.ask(() => createMultipartUploader(pathname, command));
    const sent = await this.sendParts(uploader, [first.value, second.value], parts);
    await this.ask(() => uploader.complete(sent));
  }

  private async sendParts(uploader: Uploader, begun: Buffer[], rest: AsyncGenerator<Buffer>): Promise<SentPart[]> {
    const sending: Promise<SentPart>[] = [];
    const send = async (part: Buffer) => {
      const number = sending.length + 1;
      const request = this.ask(() => uploader.uploadPart(number, part));
      request.catch(() => {});
      sending.push(request);
      // At most PARTS_AT_ONCE on their way; the oldest one's failure is met here.
      await sending[number - PARTS_AT_ONCE];
    };
    for (const part of begun) await send(part);
    for await (const part of rest) await send(part);
    return Promise.all(sending);
  }

  /** One request to the store, bounded in time; what fails is the store being away. */
  private async ask<T>(request: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const timeout = AbortSignal.timeout(this.options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS);
    let onTimeout = () => {};
    const timedOut = new Promise<never>((_resolve, reject) => {
      onTimeout = () => reject(timeout.reason);
    });
    timeout.addEventListener("abort", onTimeout);
    try {
      return await Promise.race([request(timeout), timedOut]);
    } catch (error) {
      throw storeAway(error);
    } finally {
      timeout.removeEventListener("abort", onTimeout);
    }
  }
}

interface UploadOptions {
  contentType: string;
  abortSignal: AbortSignal;
}
type Uploader = Awaited<ReturnType<typeof createMultipartUploader>>;
type SentPart = Awaited<ReturnType<Uploader["uploadPart"]>>;

function pathOf(key: string): string {
  if (!isStorageKey(key)) throw new Error("Not a storage key.");
  return `files/${key}`;
}

/** The body in buffers of PART_BYTES; the last one is smaller, and the only one may be empty. */
async function* partsOf(body: AsyncIterable<Uint8Array>, meter: ByteMeter, hash: Hash): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let isFirst = true;
  for await (const chunk of body) {
    meter.add(chunk);
    hash.update(chunk);
    let rest = chunk;
    while (waitingBytes + rest.byteLength > PART_BYTES) {
      const taken = PART_BYTES - waitingBytes;
      waiting.push(rest.subarray(0, taken));
      rest = rest.subarray(taken);
      const part = Buffer.concat(waiting, PART_BYTES);
      waiting = [];
      waitingBytes = 0;
      isFirst = false;
      yield part;
    }
    waiting.push(rest);
    waitingBytes += rest.byteLength;
  }
  if (waitingBytes > 0 || isFirst) yield Buffer.concat(waiting, waitingBytes);
}

/** The library reads no ranges; the address comes from the store itself, so the token may go there. */
function fetchBytes(url: string, token: string, range: ByteRange | undefined): Promise<Response> {
  return fetch(url, {
    cache: "no-store",
    redirect: "error",
    headers: {
      authorization: `Bearer ${token}`,
      "accept-encoding": "identity",
      ...(range && { range: `bytes=${range.start}-${range.end}` }),
    },
  });
}

function storeAway(cause: unknown): AppError {
  return new AppError(
    "SERVICE_UNAVAILABLE",
    "The file store cannot be reached right now. Nothing was kept; try again.",
    {
      cause,
      retryAfterSeconds: RETRY_WHEN_AWAY_SECONDS,
    },
  );
}
