import { beforeAll, describe, expect, it } from "vitest";
import { chunksOf, MEGABYTE, options, useBlob } from "@/e2e/support/file-stores";
import { BlobFileStore } from "@/lib/storage/blob-file-store";
import type { FileStore } from "@/lib/storage/file-store";
import { newStorageKey } from "@/lib/storage/storage-key";

const blob = useBlob();
let store: FileStore;
beforeAll(() => {
  store = blob.store();
});

describe("Vercel Blob alone", () => {
  it("sends a small file in one request and a large one in parts that the service takes", async () => {
    blob.server.requests.length = 0;
    await store.write(newStorageKey(), chunksOf(Buffer.alloc(1000)), options());
    expect(blob.server.requests).toEqual(["PUT /api/"]);
    blob.server.requests.length = 0;
    blob.server.partSizes.length = 0;
    await store.write(newStorageKey(), chunksOf(Buffer.alloc(20 * MEGABYTE), 65_536), options());
    expect(blob.server.requests).toEqual(["POST create", ...Array(4).fill("POST upload"), "POST complete"]);
    expect(blob.server.partSizes.toSorted((a, b) => b - a)).toEqual(
      [6, 6, 6, 2].map((megabytes) => megabytes * MEGABYTE),
    );
  });

  it.each([10, 20 * MEGABYTE])("answers 503 when the service fails on %i bytes, and leaves nothing", async (size) => {
    const before = [...blob.server.files.keys()];
    blob.server.faultStatus = 503;
    const key = newStorageKey();
    await expect(store.write(key, chunksOf(Buffer.alloc(size)), options())).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    await expect(store.read(key)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    await expect(store.sizeOf(key)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    await expect(store.remove(key)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    blob.server.faultStatus = null;
    expect([...blob.server.files.keys()]).toEqual(before);
  });

  it("answers 503 when the service does not answer in time", async () => {
    blob.server.isHanging = true;
    const impatient = new BlobFileStore({ token: blob.server.token, requestTimeoutMs: 300 });
    const write = impatient.write(newStorageKey(), chunksOf(Buffer.alloc(14 * MEGABYTE)), options());
    await expect(write).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    blob.server.isHanging = false;
  });

  it("answers 503 with a token that is not the store's", async () => {
    const stranger = new BlobFileStore({ token: "vercel_blob_rw_teststore_wrong" });
    await expect(stranger.write(newStorageKey(), chunksOf(Buffer.from("x")), options())).rejects.toMatchObject({
      status: 503,
    });
  });
});
