import { expect, it } from "vitest";
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
