import { createHash, randomBytes } from "node:crypto";
import { existsSync, rmSync, statSync } from "node:fs";
import { mkdir, mkdtemp, open as openNew, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type BlobServer, startBlobServer } from "@/e2e/support/blob-server";
import type { WritableDiskFile } from "@/lib/storage/batched-file";
import { BlobFileStore } from "@/lib/storage/blob-file-store";
import { type DiskCalls, DiskFileStore, type DiskFileStoreOptions } from "@/lib/storage/disk-file-store";
import type { FileStore, WriteOptions } from "@/lib/storage/file-store";
import { isStorageKey, newStorageKey } from "@/lib/storage/storage-key";

const MEGABYTE = 1024 * 1024;

let folder: string;
let blobServer: BlobServer;
let disk: FileStore;
let blob: FileStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "file-store-"));
  blobServer = await startBlobServer();
  process.env.VERCEL_BLOB_API_URL = blobServer.apiUrl;
  process.env.VERCEL_BLOB_RETRIES = "0";
  disk = diskStore();
  blob = new BlobFileStore({ token: blobServer.token });
});

afterAll(async () => {
  await blobServer.close();
  await rm(folder, { recursive: true });
});

const stores: [name: string, get: () => FileStore, names: () => Promise<string[]>][] = [
  ["disk", () => disk, () => filesBelow(folder)],
  ["blob", () => blob, async () => [...blobServer.files.keys()]],
];

describe.each(stores)("the file store on %s", (_name, store, names) => {
  it.each([0, 1, 65_537, 6 * MEGABYTE, 6 * MEGABYTE + 1, 20 * MEGABYTE])(
    "gives back the exact %i bytes",
    async (size) => {
      const bytes = randomBytes(size);
      const key = newStorageKey();
      const written = await store().write(key, chunksOf(bytes, 100_003), options());
      expect(written).toEqual({ size, sha256: sha256(bytes) });
      const found = await store().read(key);
      expect(found?.size).toBe(size);
      expect(sha256(await bytesOf(found))).toBe(written.sha256);
    },
  );

  it("reads a part, with the size of the whole", async () => {
    const bytes = randomBytes(300_000);
    const key = newStorageKey();
    await store().write(key, chunksOf(bytes), options());
    for (const [start, end] of [
      [0, 0],
      [0, 299_999],
      [5, 10],
      [299_999, 299_999],
      [65_530, 131_080],
    ] as const) {
      const found = await store().read(key, { start, end });
      expect(found?.size).toBe(300_000);
      expect((await bytesOf(found)).equals(bytes.subarray(start, end + 1))).toBe(true);
    }
  });

  it("says how large a file is, and that there is none, without a byte of it", async () => {
    const key = newStorageKey();
    await store().write(key, chunksOf(randomBytes(300_000)), options());
    blobServer.requests.length = 0;
    expect(await store().sizeOf(key)).toBe(300_000);
    expect(await store().sizeOf(newStorageKey())).toBeNull();
    expect(blobServer.requests.filter((request) => request.includes("/objects/"))).toEqual([]);
  });

  it("takes a Node stream as well as any async iterable", async () => {
    const key = newStorageKey();
    await store().write(key, Readable.from([Buffer.from("hello "), Buffer.from("there")]), options());
    expect((await bytesOf(await store().read(key))).toString()).toBe("hello there");
  });

  it("takes a file of exactly the limit and leaves nothing of one byte more", async () => {
    const key = newStorageKey();
    expect((await store().write(key, chunksOf(Buffer.alloc(1000)), options({ maxBytes: 1000 }))).size).toBe(1000);
    const before = await names();
    const tooLarge = store().write(newStorageKey(), chunksOf(Buffer.alloc(1001)), options({ maxBytes: 1000 }));
    await expect(tooLarge).rejects.toMatchObject({ code: "FILE_TOO_LARGE", status: 413, param: "file" });
    expect(await names()).toEqual(before);
  });

  it("stops reading soon after the limit", async () => {
    let handedOut = 0;
    async function* endless() {
      for (;;) {
        handedOut += MEGABYTE;
        yield Buffer.alloc(MEGABYTE);
      }
    }
    const before = await names();
    const endlessWrite = store().write(newStorageKey(), endless(), options({ maxBytes: 13 * MEGABYTE }));
    await expect(endlessWrite).rejects.toMatchObject({ code: "FILE_TOO_LARGE" });
    expect(handedOut).toBe(14 * MEGABYTE);
    expect(await names()).toEqual(before);
  });

  it.each([100, 14 * MEGABYTE])(
    "leaves nothing when the source breaks after %i bytes, and throws its error",
    async (size) => {
      async function* breaking() {
        yield* chunksOf(Buffer.alloc(size), MEGABYTE);
        throw new Error("the client went away");
      }
      const before = await names();
      await expect(store().write(newStorageKey(), breaking(), options())).rejects.toThrow("the client went away");
      expect(await names()).toEqual(before);
    },
  );

  it("leaves nothing when aborted while it waits for bytes", async () => {
    const abort = new AbortController();
    async function* hanging() {
      yield Buffer.alloc(10);
      abort.abort(new Error("stopped"));
      await new Promise(() => {});
    }
    const before = await names();
    const write = store().write(newStorageKey(), hanging(), options({ signal: abort.signal }));
    await expect(write).rejects.toThrow("stopped");
    expect(await names()).toEqual(before);
  });

  it("does not begin when aborted before", async () => {
    const before = await names();
    const write = store().write(
      newStorageKey(),
      chunksOf(Buffer.alloc(10)),
      options({ signal: AbortSignal.abort(new Error("no")) }),
    );
    await expect(write).rejects.toThrow("no");
    expect(await names()).toEqual(before);
  });

  it("removes a file; removing again and reading after it are no errors", async () => {
    const key = newStorageKey();
    await store().write(key, chunksOf(Buffer.from("x")), options());
    await store().remove(key);
    await store().remove(key);
    expect(await store().read(key)).toBeNull();
    expect(await store().read(key, { start: 0, end: 0 })).toBeNull();
    expect(await store().sizeOf(key)).toBeNull();
  });

  it("reads nothing, removes nothing and writes nothing under what is not a key", async () => {
    const key = newStorageKey();
    await store().write(key, chunksOf(Buffer.from("x")), options());
    const before = await names();
    for (const name of [
      `../${key}`,
      `${key}/..`,
      `${key}.part`,
      key.toUpperCase(),
      "",
      "..",
      `${key}\n`,
      "%2e%2e",
      "files",
    ]) {
      expect(isStorageKey(name)).toBe(false);
      expect(await store().read(name)).toBeNull();
      expect(await store().sizeOf(name)).toBeNull();
      await store().remove(name);
      await expect(store().write(name, chunksOf(Buffer.from("y")), options())).rejects.toThrow();
    }
    expect(await names()).toEqual(before);
  });

  it("keeps files apart that are written at once", async () => {
    const files = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const bytes = randomBytes(200_000);
        const key = newStorageKey();
        return { bytes, key, written: await store().write(key, chunksOf(bytes, 7_777), options()) };
      }),
    );
    for (const { bytes, key, written } of files) {
      expect(written.sha256).toBe(sha256(bytes));
      expect((await bytesOf(await store().read(key))).equals(bytes)).toBe(true);
    }
  });
});

describe("the disk alone", () => {
  it("makes files for its user alone, in folders that spread them", async () => {
    const key = newStorageKey();
    await disk.write(key, chunksOf(Buffer.from("private")), options());
    const path = join(folder, key.slice(0, 2), key.slice(2, 4), key);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
    expect(await readFile(path, "utf8")).toBe("private");
  });

  it("gives a file whole or not at all that is removed at that moment", async () => {
    const bytes = randomBytes(300_000);
    const key = newStorageKey();
    await disk.write(key, chunksOf(bytes), options());
    const path = join(folder, key.slice(0, 2), key.slice(2, 4), key);
    const reading = disk.read(key);
    // While this process does one thing after the other, the system is done with the first look at the file.
    for (let looks = 0; looks < 1_000; looks++) statSync(path);
    rmSync(path);
    const found = await reading;
    expect(found === null || bytes.equals(await bytesOf(found))).toBe(true);
  });

  it("shows a file under its name only when it is whole", async () => {
    const key = newStorageKey();
    const seen: (string | null)[] = [];
    async function* watched() {
      yield Buffer.alloc(3 * MEGABYTE);
      seen.push((await disk.read(key)) ? "visible" : null);
    }
    await disk.write(key, watched(), options());
    expect(seen).toEqual([null]);
    expect((await disk.read(key))?.size).toBe(3 * MEGABYTE);
  });

  it("says that a file is gone only when that is on disk, for nothing else knows of it then", async () => {
    const key = newStorageKey();
    await disk.write(key, chunksOf(Buffer.from("gone")), options());
    const path = join(folder, key.slice(0, 2), key.slice(2, 4), key);
    const handle = await openNew(folder, "r");
    const thereAtSync: boolean[] = [];
    const sync = vi.spyOn(Object.getPrototypeOf(handle), "sync").mockImplementation(async () => {
      thereAtSync.push(existsSync(path));
    });
    await handle.close();
    await disk.remove(key).finally(() => sync.mockRestore());
    expect(thereAtSync).toEqual([false]);
  });

  it("does not touch what another write of the same key has begun", async () => {
    const key = newStorageKey();
    let second: Promise<unknown> = Promise.resolve();
    async function* first() {
      yield Buffer.from("first");
      second = disk.write(key, chunksOf(Buffer.from("second")), options());
      await second.catch(() => {});
    }
    await disk.write(key, first(), options());
    await expect(second).rejects.toMatchObject({ code: "EEXIST" });
    expect((await bytesOf(await disk.read(key))).toString()).toBe("first");
  });

  it.each(["ENOSPC", "EDQUOT"])("answers %s with a clear 503 and leaves nothing", async (code) => {
    for (const step of ["open", "writev", "datasync"] as const) {
      const before = await filesBelow(folder);
      const write = failingDisk(step, code).write(newStorageKey(), chunksOf(Buffer.alloc(4 * MEGABYTE)), options());
      await expect(write).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503, retryAfterSeconds: 60 });
      await expect(write).rejects.toThrow(/no room/);
      expect(await filesBelow(folder)).toEqual(before);
    }
  });

  it("asks Windows for nothing that it refuses: to sync a folder", async () => {
    const { platform } = process;
    const handle = await openNew(folder, "r");
    const sync = vi.spyOn(Object.getPrototypeOf(handle), "sync").mockRejectedValue(new Error("EPERM"));
    await handle.close();
    Object.defineProperty(process, "platform", { value: "win32" });
    try {
      const key = newStorageKey();
      await disk.write(key, chunksOf(Buffer.from("kept")), options());
      expect((await bytesOf(await disk.read(key))).toString()).toBe("kept");
    } finally {
      Object.defineProperty(process, "platform", { value: platform });
      sync.mockRestore();
    }
  });

  it("writes the rest when the system takes only a part of a batch", async () => {
    const bytes = randomBytes(3 * MEGABYTE);
    const key = newStorageKey();
    await shortWritingDisk().write(key, chunksOf(bytes, 50_001), options());
    expect((await bytesOf(await disk.read(key))).equals(bytes)).toBe(true);
  });

  it("refuses before the disk is full, at the beginning and on the way", async () => {
    let free = 100;
    const store = diskStore({ minFreeBytes: 1000, calls: { freeBytes: async () => free } });
    await expect(store.write(newStorageKey(), chunksOf(Buffer.from("x")), options())).rejects.toMatchObject({
      status: 503,
    });
    free = 5000;
    async function* filling() {
      yield* chunksOf(Buffer.alloc(20 * MEGABYTE), MEGABYTE);
      free = 100;
      yield* chunksOf(Buffer.alloc(60 * MEGABYTE), MEGABYTE);
    }
    const before = await filesBelow(folder);
    await expect(store.write(newStorageKey(), filling(), options())).rejects.toMatchObject({ status: 503 });
    expect(await filesBelow(folder)).toEqual(before);
  });

  it("answers 503 on a disk that is mounted read-only, and tells the log of it in the system's words", async () => {
    // As node does: of several folders it says that they are missing.
    const readOnly: DiskCalls["mkdir"] = async (path, { recursive }) => {
      if (path === folder && !recursive) throw Object.assign(new Error("EEXIST"), { code: "EEXIST" });
      const code = recursive ? "ENOENT" : "EROFS";
      throw Object.assign(new Error(`${code}: mkdir`), { code });
    };
    const store = diskStore({ calls: { mkdir: readOnly } });
    const write = store.write(newStorageKey(), chunksOf(Buffer.from("x")), options());
    await expect(write).rejects.toMatchObject({ status: 503, cause: { code: "EROFS" } });
  });

  it.each(["EACCES", "EPERM", "EIO", "ENOENT"])(
    "answers 503 when the system says %s, and leaves nothing",
    async (code) => {
      for (const step of ["open", "writev", "datasync"] as const) {
        const before = await filesBelow(folder);
        const write = failingDisk(step, code).write(newStorageKey(), chunksOf(Buffer.alloc(4 * MEGABYTE)), options());
        await expect(write).rejects.toMatchObject({ status: 503, retryAfterSeconds: 30, cause: { code } });
        expect(await filesBelow(folder)).toEqual(before);
      }
    },
  );

  it("answers 503 where its folder is a file, to a read as to a write", async () => {
    const file = join(folder, "no-folder");
    await writeFile(file, "");
    const store = diskStore({ directory: file });
    await expect(store.write(newStorageKey(), chunksOf(Buffer.from("x")), options())).rejects.toMatchObject({
      status: 503,
    });
    await expect(store.read(newStorageKey())).rejects.toMatchObject({ status: 503 });
    await expect(store.sizeOf(newStorageKey())).rejects.toMatchObject({ status: 503 });
    await rm(file);
  });

  it.each([
    ["is gone", (directory: string) => rm(directory, { recursive: true })],
    [
      "is empty, as where its disk is not mounted",
      async (directory: string) => {
        await rename(directory, `${directory}-elsewhere`);
        await mkdir(directory);
      },
    ],
  ])("takes no file for lost or removed, and no new one, where its folder %s", async (_how, harm) => {
    const directory = await mkdtemp(join(folder, "apart-"));
    const store = diskStore({ directory });
    const key = newStorageKey();
    await store.write(key, chunksOf(Buffer.from("x")), options());
    await harm(directory);
    for (const ask of [() => store.read(key), () => store.sizeOf(key), () => store.remove(key)]) {
      await expect(ask()).rejects.toMatchObject({
        status: 503,
        cause: { message: expect.stringContaining(directory) },
      });
    }
    await expect(store.write(newStorageKey(), chunksOf(Buffer.from("y")), options())).rejects.toMatchObject({
      status: 503,
    });
    // Whoever starts it anew without its files means it.
    await diskStore({ directory }).write(newStorageKey(), chunksOf(Buffer.from("y")), options());
    expect(await store.read(key)).toBeNull();
    await rm(directory, { recursive: true, force: true });
    await rm(`${directory}-elsewhere`, { recursive: true, force: true });
  });

  it("tells the log, and not the client, how much is free and which setting refuses", async () => {
    const store = diskStore({ minFreeBytes: 1024 * MEGABYTE, calls: { freeBytes: async () => 40.5 * MEGABYTE } });
    const write = store.write(newStorageKey(), chunksOf(Buffer.from("x")), options());
    await expect(write).rejects.toMatchObject({
      message: "The file store has no room right now. Nothing was kept; try again later.",
      cause: { message: "40 MB are free, MIN_FREE_DISK_MB is 1024." },
    });
  });
});

describe("Vercel Blob alone", () => {
  it("sends a small file in one request and a large one in parts that the service takes", async () => {
    blobServer.requests.length = 0;
    await blob.write(newStorageKey(), chunksOf(Buffer.alloc(1000)), options());
    expect(blobServer.requests).toEqual(["PUT /api/"]);
    blobServer.requests.length = 0;
    blobServer.partSizes.length = 0;
    await blob.write(newStorageKey(), chunksOf(Buffer.alloc(20 * MEGABYTE), 65_536), options());
    expect(blobServer.requests).toEqual(["POST create", ...Array(4).fill("POST upload"), "POST complete"]);
    expect(blobServer.partSizes.toSorted((a, b) => b - a)).toEqual(
      [6, 6, 6, 2].map((megabytes) => megabytes * MEGABYTE),
    );
  });

  it.each([10, 20 * MEGABYTE])("answers 503 when the service fails on %i bytes, and leaves nothing", async (size) => {
    const before = [...blobServer.files.keys()];
    blobServer.faultStatus = 503;
    const key = newStorageKey();
    await expect(blob.write(key, chunksOf(Buffer.alloc(size)), options())).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    await expect(blob.read(key)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    await expect(blob.sizeOf(key)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    await expect(blob.remove(key)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    blobServer.faultStatus = null;
    expect([...blobServer.files.keys()]).toEqual(before);
  });

  it("answers 503 when the service does not answer in time", async () => {
    blobServer.isHanging = true;
    const impatient = new BlobFileStore({ token: blobServer.token, requestTimeoutMs: 300 });
    const write = impatient.write(newStorageKey(), chunksOf(Buffer.alloc(14 * MEGABYTE)), options());
    await expect(write).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    blobServer.isHanging = false;
  });

  it("answers 503 with a token that is not the store's", async () => {
    const stranger = new BlobFileStore({ token: "vercel_blob_rw_teststore_wrong" });
    await expect(stranger.write(newStorageKey(), chunksOf(Buffer.from("x")), options())).rejects.toMatchObject({
      status: 503,
    });
  });
});

function options(over: Partial<WriteOptions> = {}): WriteOptions {
  return { contentType: "application/octet-stream", maxBytes: 500 * MEGABYTE, ...over };
}

function diskStore(over: Partial<DiskFileStoreOptions> = {}): DiskFileStore {
  return new DiskFileStore({ directory: folder, minFreeBytes: 0, ...over });
}

function failingDisk(step: "open" | "writev" | "datasync", code: string): DiskFileStore {
  const fail = async () => {
    throw Object.assign(new Error("no space left on device"), { code });
  };
  const open = async (path: string): Promise<WritableDiskFile> => {
    const file = await openNew(path, "wx");
    return {
      writev: step === "writev" ? fail : (batch) => file.writev(batch),
      datasync: step === "datasync" ? fail : () => file.datasync(),
      close: () => file.close(),
    };
  };
  return diskStore({ calls: { open: step === "open" ? fail : open } });
}

/** Each call takes 1,000 bytes less than it was given. */
function shortWritingDisk(): DiskFileStore {
  const open = async (path: string): Promise<WritableDiskFile> => {
    const file = await openNew(path, "wx");
    const writev = async (batch: Uint8Array[]) => {
      const all = Buffer.concat(batch);
      const taken = all.length > 1000 ? all.subarray(0, all.length - 1000) : all;
      await file.appendFile(taken);
      return { bytesWritten: taken.length };
    };
    return { writev, datasync: () => file.datasync(), close: () => file.close() };
  };
  return diskStore({ calls: { open } });
}

async function* chunksOf(bytes: Buffer, chunkBytes = 65_536) {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function bytesOf(found: Awaited<ReturnType<FileStore["read"]>>): Promise<Buffer> {
  if (!found) throw new Error("The file was not found.");
  return buffer(found.stream as AsyncIterable<Uint8Array>);
}

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
