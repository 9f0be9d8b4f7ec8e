import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { processSingleton } from "@/lib/process-singleton";
import { FileHash } from "@/lib/storage/file-hash";
import { HashThread } from "@/lib/storage/hash-thread";

const MEGABYTE = 1024 * 1024;

describe("FileHash", () => {
  it.each([
    [[0]],
    [[10]],
    [[MEGABYTE, 10]],
    [[MEGABYTE, 0]],
    [[2 * MEGABYTE, 2 * MEGABYTE, 1]],
    [[7 * MEGABYTE + 3, 5 * MEGABYTE]],
  ])("gives the SHA-256 of batches of %j bytes", async (sizes) => {
    const batches = sizes.map((size) => chunksOf(randomBytes(size)));
    const hash = new FileHash();
    for (const batch of batches.slice(0, -1)) await hash.update(batch);
    expect(await hash.finish(batches.at(-1) ?? [])).toBe(sha256(batches.flat()));
    hash.discard();
  });

  it("keeps files apart that are hashed at once, also when some are given up", async () => {
    const hashed = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const batches = [chunksOf(randomBytes(300_000)), chunksOf(randomBytes(200_000))];
        const hash = new FileHash();
        await hash.update(batches[0] ?? []);
        if (index % 4 === 0) {
          hash.discard();
          return true;
        }
        return (await hash.finish(batches[1] ?? [])) === sha256(batches.flat());
      }),
    );
    expect(hashed).toEqual(Array(20).fill(true));
  });
});

it("keeps no memory of the files that it hashed, however many came", async () => {
  const batch = [Buffer.alloc(MEGABYTE)];
  const hashFile = async () => {
    const hash = new FileHash();
    await hash.update(batch);
    await hash.finish([]);
    hash.discard();
  };
  await hashFile();
  const before = process.memoryUsage().arrayBuffers;
  await Promise.all(Array.from({ length: 100 }, hashFile));
  expect((process.memoryUsage().arrayBuffers - before) / MEGABYTE).toBeLessThan(20);
});

it("fails what is open when the thread dies, instead of waiting for ever", async () => {
  const thread = new HashThread();
  const shared = new Uint8Array(new SharedArrayBuffer(10));
  await thread.update(thread.begin(), shared, 10);
  const deadly = thread.update(thread.begin(), null as unknown as Uint8Array, 10);
  const beside = thread.update(thread.begin(), shared, 10);
  await expect(deadly).rejects.toThrow();
  await expect(beside).rejects.toThrow();
  expect(thread.isAlive).toBe(false);
  await expect(thread.finish(1)).rejects.toThrow("The hash thread ended.");
});

it("goes on in a new thread when the one before has died: else no large file could be kept any more", async () => {
  const bytes = Buffer.from("some bytes");
  const hashed = async () => {
    const hash = new FileHash();
    await hash.update([bytes]);
    return hash.finish([]);
  };
  expect(await hashed()).toBe(sha256([bytes]));
  const { thread } = processSingleton("hash-thread", (): { thread?: HashThread } => ({}));
  await thread?.update(thread.begin(), null as unknown as Uint8Array, 10).catch(() => {});
  expect(thread?.isAlive).toBe(false);
  expect(await hashed()).toBe(sha256([bytes]));
});

it("keeps the process going while it hashes, and no longer", async () => {
  const script = `import("./lib/storage/file-hash.ts").then(async ({ FileHash }) => {
    const hash = new FileHash();
    await hash.update([new Uint8Array(100)]);
    console.log(await hash.finish([]));
  });`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "-e", script], {
    timeout: 15_000,
  });
  expect(stdout.trim()).toBe(sha256([Buffer.alloc(100)]));
});

function chunksOf(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 70_001) chunks.push(bytes.subarray(at, at + 70_001));
  return chunks;
}

function sha256(chunks: Buffer[]): string {
  return createHash("sha256").update(Buffer.concat(chunks)).digest("hex");
}
