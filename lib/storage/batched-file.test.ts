import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { BatchedFile, type WritableDiskFile } from "@/lib/storage/batched-file";

const MEGABYTE = 1024 * 1024;

/** A file of a disk that does what it is told, but for these calls. */
function fileOf(calls: Partial<WritableDiskFile> = {}) {
  const did: string[] = [];
  const file: WritableDiskFile = {
    writev: async (batch) => ({ bytesWritten: batch.reduce((sum, { byteLength }) => sum + byteLength, 0) }),
    datasync: async () => void did.push("sync"),
    close: async () => void did.push("close"),
    ...calls,
  };
  return { file: new BatchedFile(file), did };
}

async function write(file: BatchedFile, megabytes: number): Promise<string> {
  const chunk = Buffer.alloc(MEGABYTE, "x");
  for (let count = 0; count < megabytes; count++) await file.add(chunk);
  return file.finish();
}

describe("a file that is written in batches", () => {
  it.each([33, 70])(
    "of %i MB is none when the disk could not keep a part of it, which it tells but once",
    async (size) => {
      let syncs = 0;
      const datasync = async () => {
        if (++syncs === 1) throw Object.assign(new Error("A part is lost."), { code: "EIO" });
      };
      const { file } = fileOf({ datasync });
      await expect(write(file, size)).rejects.toThrow("A part is lost.");
      await file.close();
    },
  );

  it("is none on a disk that takes no more of it, and nobody waits for it", async () => {
    const left = [MEGABYTE / 2, 0];
    const { file, did } = fileOf({ writev: async () => ({ bytesWritten: left.shift() ?? 0 }) });
    await expect(write(file, 1)).rejects.toMatchObject({ code: "ENOSPC" });
    await file.close();
    expect(did).toEqual(["close"]);
  });

  it("is written to its end where the disk takes a little at a time", async () => {
    const written: Buffer[] = [];
    const writev = async (batch: Uint8Array[]) => {
      const some = Buffer.concat(batch).subarray(0, 100_000);
      written.push(Buffer.from(some));
      return { bytesWritten: some.byteLength };
    };
    const { file } = fileOf({ writev });
    const bytes = Buffer.from(Uint8Array.from({ length: 700_000 }, (_, index) => index % 251));
    await file.add(bytes);
    expect(await file.finish()).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(Buffer.concat(written).equals(bytes)).toBe(true);
    await file.close();
  });

  it("is on the disk before anybody is told that it is there, also where it is small", async () => {
    const { file, did } = fileOf();
    await write(file, 1);
    expect(did).toEqual(["sync"]);
    await file.close();
    expect(did).toEqual(["sync", "close"]);
  });
});
