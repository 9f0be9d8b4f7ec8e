import type { ByteRange } from "@/lib/domain/byte-range";

/** Which adapter holds a file; stored with each file, so that a later change of the setting loses none. */
export type FileStoreKind = "disk" | "blob";

export interface WriteOptions {
  contentType: string;
  /** One byte more is refused. */
  maxBytes: number;
  /** Ends the write; nothing is left. */
  signal?: AbortSignal;
}

export interface WrittenFile {
  /** Bytes. */
  size: number;
  /** Of the bytes, 64 lower-case hex digits. */
  sha256: string;
}

export interface StoredBytes {
  stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Of the whole file, also when a part was asked for. */
  size: number;
}

export interface UploadGrantOptions {
  /** More is refused by the store. */
  maxBytes: number;
  /** The upload has to begin before. */
  expiresAt: Date;
}

/** A `PUT` that writes one new file, with nothing but this. */
export interface UploadGrant {
  url: string;
  headers: Record<string, string>;
}

/**
 * Where the bytes of files are. Keys come from `newStorageKey()`, never from a client.
 * Bytes pass through: no adapter holds a whole file in memory.
 */
export interface FileStore {
  readonly kind: FileStoreKind;
  /**
   * Streams `body` into a new file. When this returns, the file is durable; when it throws, nothing is left of it, unless the
   * store is away: then the caller removes it later.
   * What `body` throws is thrown on.
   * @throws AppError FILE_TOO_LARGE above `maxBytes`; SERVICE_UNAVAILABLE when the store is full or cannot be reached.
   */
  write(key: string, body: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<WrittenFile>;
  /** @returns null when there is no such file. */
  read(key: string, range?: ByteRange): Promise<StoredBytes | null>;
  /** How many bytes a file has, which reads none of them. @returns null when there is no such file. */
  sizeOf(key: string): Promise<number | null>;
  /**
   * Before a file is promised that may never come: a store that is new could not say that it is not there, and makes its place.
   * @param isNew whether nothing was ever given to the store; asked where it has nothing at all, as a disk that is not mounted
   * @throws AppError SERVICE_UNAVAILABLE
   */
  prepare(key: string, isNew: () => Promise<boolean>): Promise<void>;
  /** Lets a client write a file into the store by itself. @returns null where the service has to take its bytes. */
  grantUpload(key: string, options: UploadGrantOptions): Promise<UploadGrant | null>;
  /** Removes a file, durably, and what an interrupted write left of it; one that does not exist is no error. */
  remove(key: string): Promise<void>;
}
