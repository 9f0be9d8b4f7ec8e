import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { BlobNotFoundError, del, type HeadBlobResult, head } from "@vercel/blob";
import { generateClientTokenFromReadWriteToken } from "@vercel/blob/client";
import type { ByteRange } from "@/lib/domain/byte-range";
import { readBlobBytes } from "@/lib/storage/blob-bytes";
import { partsOf, uploadParts } from "@/lib/storage/blob-parts";
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
import { storeAway } from "@/lib/storage/store-away";

/** For one request with the library's retries, which cannot be interrupted while they wait. */
const REQUEST_TIMEOUT_MS = 60_000;
/** For the removal after a failed write: a store that failed may be away, and whoever sent the file has waited long enough. */
const CLEAN_UP_MS = 1_000;
/** Where the library itself puts files, and the version of that protocol which it speaks. */
const PUT_URL = "https://vercel.com/api/blob/";
const PROTOCOL_VERSION = "12";

export interface BlobFileStoreOptions {
  /** Of a store whose access is private; its files are reached through the service alone. */
  token: string;
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
    const command = { token: this.options.token, contentType: options.contentType, abortSignal: stop.signal };
    try {
      await uploadParts(pathname, parts, command, (request) => this.ask(request));
    } catch (error) {
      stop.abort();
      await parts.return(undefined).catch(() => {});
      // Parts without a completion are no file, and the service forgets them; a completion whose answer was lost is one.
      const removed = this.remove(key).catch(() => {});
      await Promise.race([removed, delay(CLEAN_UP_MS, undefined, { ref: false })]);
      throw error;
    }
    return { size: meter.size, sha256: hash.digest("hex") };
  }

  async read(key: string, range?: ByteRange): Promise<StoredBytes | null> {
    const found = await this.find(key);
    if (!found) return null;
    const { token } = this.options;
    const stream = await readBlobBytes({ url: found.url, token, range, silenceMs: this.requestTimeoutMs });
    return stream && { stream, size: found.size };
  }

  async sizeOf(key: string): Promise<number | null> {
    return (await this.find(key))?.size ?? null;
  }

  /** It says of each file whether it is there. */
  async prepare(): Promise<void> {}

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

  private async find(key: string): Promise<HeadBlobResult | null> {
    if (!isStorageKey(key)) return null;
    return this.ask((abortSignal) =>
      head(pathOf(key), { token: this.options.token, abortSignal }).catch((error: unknown) => {
        if (error instanceof BlobNotFoundError) return null;
        throw error;
      }),
    );
  }

  private get requestTimeoutMs(): number {
    return this.options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  }

  /** One request to the store, bounded in time; what fails is the store being away. */
  private async ask<T>(request: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const timeout = AbortSignal.timeout(this.requestTimeoutMs);
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

function pathOf(key: string): string {
  if (!isStorageKey(key)) throw new Error("Not a storage key.");
  return `files/${key}`;
}
