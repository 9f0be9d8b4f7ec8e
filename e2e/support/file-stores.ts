import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll } from "vitest";
import { type BlobServer, startBlobServer } from "@/e2e/support/blob-server";
import { BlobFileStore } from "@/lib/storage/blob-file-store";
import { DiskFileStore, type DiskFileStoreOptions } from "@/lib/storage/disk-file-store";
import type { FileStore, WriteOptions } from "@/lib/storage/file-store";

export const MEGABYTE = 1024 * 1024;

/** A folder of its own for a disk store. */
interface DiskStage {
  readonly folder: string;
  store(over?: Partial<DiskFileStoreOptions>): DiskFileStore;
}

export function useDisk(): DiskStage {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "file-store-"));
  });
  afterAll(() => rm(folder, { recursive: true }));
  return {
    get folder() {
      return folder;
    },
    store: (over = {}) => new DiskFileStore({ directory: folder, minFreeBytes: 0, ...over }),
  };
}

/** A server of Vercel Blob's protocol. */
interface BlobStage {
  readonly server: BlobServer;
  store(): BlobFileStore;
}

export function useBlob(): BlobStage {
  let server: BlobServer;
  beforeAll(async () => {
    server = await startBlobServer();
    process.env.VERCEL_BLOB_API_URL = server.apiUrl;
    process.env.VERCEL_BLOB_RETRIES = "0";
  });
  afterAll(() => server.close());
  return {
    get server() {
      return server;
    },
    store: () => new BlobFileStore({ token: server.token }),
  };
}

export function options(over: Partial<WriteOptions> = {}): WriteOptions {
  return { contentType: "application/octet-stream", maxBytes: 500 * MEGABYTE, ...over };
}

export async function* chunksOf(bytes: Buffer, chunkBytes = 65_536) {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

export async function bytesOf(found: Awaited<ReturnType<FileStore["read"]>>): Promise<Buffer> {
  if (!found) throw new Error("The file was not found.");
  return buffer(found.stream as AsyncIterable<Uint8Array>);
}

export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
