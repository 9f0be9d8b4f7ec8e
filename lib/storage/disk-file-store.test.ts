import { randomBytes } from "node:crypto";
import { existsSync, rmSync, statSync } from "node:fs";
import { mkdir, mkdtemp, open as openNew, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { bytesOf, chunksOf, filesBelow, MEGABYTE, options, useDisk } from "@/e2e/support/file-stores";
import type { WritableDiskFile } from "@/lib/storage/batched-file";
import type { DiskCalls, DiskFileStore } from "@/lib/storage/disk-file-store";
import type { FileStore } from "@/lib/storage/file-store";
import { newStorageKey } from "@/lib/storage/storage-key";

const disk = useDisk();
let store: FileStore;
beforeAll(() => {
  store = disk.store();
});

describe("the disk alone", () => {
  it("makes files for its user alone, in folders that spread them", async () => {
    const key = newStorageKey();
    await store.write(key, chunksOf(Buffer.from("private")), options());
    const path = join(disk.folder, key.slice(0, 2), key.slice(2, 4), key);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
    expect(await readFile(path, "utf8")).toBe("private");
  });

  it("gives a file whole or not at all that is removed at that moment", async () => {
    const bytes = randomBytes(300_000);
    const key = newStorageKey();
    await store.write(key, chunksOf(bytes), options());
    const path = join(disk.folder, key.slice(0, 2), key.slice(2, 4), key);
    const reading = store.read(key);
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
      seen.push((await store.read(key)) ? "visible" : null);
    }
    await store.write(key, watched(), options());
    expect(seen).toEqual([null]);
    expect((await store.read(key))?.size).toBe(3 * MEGABYTE);
  });

  it("says that a file is gone only when that is on disk, for nothing else knows of it then", async () => {
    const key = newStorageKey();
    await store.write(key, chunksOf(Buffer.from("gone")), options());
    const path = join(disk.folder, key.slice(0, 2), key.slice(2, 4), key);
    const handle = await openNew(disk.folder, "r");
    const thereAtSync: boolean[] = [];
    const sync = vi.spyOn(Object.getPrototypeOf(handle), "sync").mockImplementation(async () => {
      thereAtSync.push(existsSync(path));
    });
    await handle.close();
    await store.remove(key).finally(() => sync.mockRestore());
    expect(thereAtSync).toEqual([false]);
  });

  it("does not touch what another write of the same key has begun", async () => {
    const key = newStorageKey();
    let second: Promise<unknown> = Promise.resolve();
    async function* first() {
      yield Buffer.from("first");
      second = store.write(key, chunksOf(Buffer.from("second")), options());
      await second.catch(() => {});
    }
    await store.write(key, first(), options());
    await expect(second).rejects.toMatchObject({ code: "EEXIST" });
    expect((await bytesOf(await store.read(key))).toString()).toBe("first");
  });

  it.each(["ENOSPC", "EDQUOT"])("answers %s with a clear 503 and leaves nothing", async (code) => {
    for (const step of ["open", "writev", "datasync"] as const) {
      const before = await filesBelow(disk.folder);
      const write = failingDisk(step, code).write(newStorageKey(), chunksOf(Buffer.alloc(4 * MEGABYTE)), options());
      await expect(write).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503, retryAfterSeconds: 60 });
      await expect(write).rejects.toThrow(/no room/);
      expect(await filesBelow(disk.folder)).toEqual(before);
    }
  });

  it("asks Windows for nothing that it refuses: to sync a folder", async () => {
    const { platform } = process;
    const handle = await openNew(disk.folder, "r");
    const sync = vi.spyOn(Object.getPrototypeOf(handle), "sync").mockRejectedValue(new Error("EPERM"));
    await handle.close();
    Object.defineProperty(process, "platform", { value: "win32" });
    try {
      const key = newStorageKey();
      await store.write(key, chunksOf(Buffer.from("kept")), options());
      expect((await bytesOf(await store.read(key))).toString()).toBe("kept");
    } finally {
      Object.defineProperty(process, "platform", { value: platform });
      sync.mockRestore();
    }
  });

  it("writes the rest when the system takes only a part of a batch", async () => {
    const bytes = randomBytes(3 * MEGABYTE);
    const key = newStorageKey();
    await shortWritingDisk().write(key, chunksOf(bytes, 50_001), options());
    expect((await bytesOf(await store.read(key))).equals(bytes)).toBe(true);
  });

  it("refuses before the disk is full, at the beginning and on the way", async () => {
    let free = 100;
    const store = disk.store({ minFreeBytes: 1000, calls: { freeBytes: async () => free } });
    await expect(store.write(newStorageKey(), chunksOf(Buffer.from("x")), options())).rejects.toMatchObject({
      status: 503,
    });
    free = 5000;
    async function* filling() {
      yield* chunksOf(Buffer.alloc(20 * MEGABYTE), MEGABYTE);
      free = 100;
      yield* chunksOf(Buffer.alloc(60 * MEGABYTE), MEGABYTE);
    }
    const before = await filesBelow(disk.folder);
    await expect(store.write(newStorageKey(), filling(), options())).rejects.toMatchObject({ status: 503 });
    expect(await filesBelow(disk.folder)).toEqual(before);
  });

  it("answers 503 on a disk that is mounted read-only, and tells the log of it in the system's words", async () => {
    // As node does: of several folders it says that they are missing.
    const readOnly: DiskCalls["mkdir"] = async (path, { recursive }) => {
      if (path === disk.folder && !recursive) throw Object.assign(new Error("EEXIST"), { code: "EEXIST" });
      const code = recursive ? "ENOENT" : "EROFS";
      throw Object.assign(new Error(`${code}: mkdir`), { code });
    };
    const store = disk.store({ calls: { mkdir: readOnly } });
    const write = store.write(newStorageKey(), chunksOf(Buffer.from("x")), options());
    await expect(write).rejects.toMatchObject({
      status: 503,
      message: expect.not.stringContaining("room"),
      cause: { code: "EROFS" },
    });
  });

  it.each(["EACCES", "EPERM", "EIO", "ENOENT"])(
    "answers 503 when the system says %s, and leaves nothing",
    async (code) => {
      for (const step of ["open", "writev", "datasync"] as const) {
        const before = await filesBelow(disk.folder);
        const write = failingDisk(step, code).write(newStorageKey(), chunksOf(Buffer.alloc(4 * MEGABYTE)), options());
        await expect(write).rejects.toMatchObject({ status: 503, retryAfterSeconds: 30, cause: { code } });
        expect(await filesBelow(disk.folder)).toEqual(before);
      }
    },
  );

  it("answers 503 where its folder is a file, to a read as to a write", async () => {
    const file = join(disk.folder, "no-folder");
    await writeFile(file, "");
    const store = disk.store({ directory: file });
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
    const directory = await mkdtemp(join(disk.folder, "apart-"));
    const store = disk.store({ directory });
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
    await disk.store({ directory }).write(newStorageKey(), chunksOf(Buffer.from("y")), options());
    expect(await store.read(key)).toBeNull();
    await rm(directory, { recursive: true, force: true });
    await rm(`${directory}-elsewhere`, { recursive: true, force: true });
  });

  it("tells the log, and not the client, how much is free and which setting refuses", async () => {
    const store = disk.store({ minFreeBytes: 1024 * MEGABYTE, calls: { freeBytes: async () => 40.5 * MEGABYTE } });
    const write = store.write(newStorageKey(), chunksOf(Buffer.from("x")), options());
    await expect(write).rejects.toMatchObject({
      message: "The file store has no room right now. Nothing was kept; try again later.",
      cause: { message: "40 MB are free, MIN_FREE_DISK_MB is 1024." },
    });
  });
});

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
  return disk.store({ calls: { open: step === "open" ? fail : open } });
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
  return disk.store({ calls: { open } });
}
