import { setImmediate } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { BatchedFile, type WritableDiskFile } from "@/lib/storage/batched-file";

const MB = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

const disk: WritableDiskFile = {
  writev: async (batch) => ({ bytesWritten: batch.reduce((sum, chunk) => sum + chunk.byteLength, 0) }),
  datasync: async () => {},
  close: async () => {},
};

it("keeps the memory of a file's chunks small while the file goes through, however long it is", async () => {
  const file = new BatchedFile(disk);
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let sent = 0; sent < 300 * MB; sent += CHUNK_BYTES) {
    await file.add(Buffer.allocUnsafeSlow(CHUNK_BYTES));
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  await file.close();
  expect(most / MB).toBeLessThan(36);
});

it.each([
  ["writev", MB],
  ["datasync", 32 * MB],
] as const)(
  "ends a file alone whose %s fails while its client sends no more: others' files go on",
  async (call, bytes) => {
    const full = Object.assign(new Error("The disk is full."), { code: "ENOSPC" });
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const file = new BatchedFile({ ...disk, [call]: () => Promise.reject(full) });
    await file.add(Buffer.alloc(bytes));
    const other = new BatchedFile(disk);
    await other.add(Buffer.alloc(MB));
    expect(await other.finish()).toMatch(/^[0-9a-f]{64}$/);
    await setImmediate();
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    await expect(file.finish()).rejects.toBe(full);
    await file.close();
  },
);
