import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesOf, chunksOf, filesBelow, MEGABYTE, options, useBlob, useDisk } from "@/e2e/support/file-stores";
import type { FileStore } from "@/lib/storage/file-store";
import { isStorageKey, newStorageKey } from "@/lib/storage/storage-key";

const disk = useDisk();
const blob = useBlob();

let diskStore: FileStore;
let blobStore: FileStore;
beforeAll(() => {
  diskStore = disk.store();
  blobStore = blob.store();
});

const stores: [name: string, get: () => FileStore, names: () => Promise<string[]>][] = [
  ["disk", () => diskStore, () => filesBelow(disk.folder)],
  ["blob", () => blobStore, async () => [...blob.server.files.keys()]],
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
    blob.server.requests.length = 0;
    expect(await store().sizeOf(key)).toBe(300_000);
    expect(await store().sizeOf(newStorageKey())).toBeNull();
    expect(blob.server.requests.filter((request) => request.includes("/objects/"))).toEqual([]);
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

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
