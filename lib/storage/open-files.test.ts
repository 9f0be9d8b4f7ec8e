import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { untilAborted } from "@/lib/storage/byte-meter";
import { DiskFileStore } from "@/lib/storage/disk-file-store";
import { newStorageKey } from "@/lib/storage/storage-key";

const OPTIONS = { contentType: "text/plain", maxBytes: 100 };
let directory: string;
let store: DiskFileStore;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "open-files-"));
  await mkdir(join(directory, "00"));
  store = new DiskFileStore({ directory, minFreeBytes: 0 });
});
afterAll(() => rm(directory, { recursive: true }));

async function* body(text = "x") {
  yield Buffer.from(text);
}

/** A process may have a thousand or so, and then takes no call any more. */
describe.skipIf(process.platform !== "linux")("no file stays open", () => {
  const openFiles = () => readdirSync("/proc/self/fd").length;

  it.each<[string, () => Promise<unknown>]>([
    ["that was written", () => store.write(newStorageKey(), body(), OPTIONS)],
    ["that was too large", () => store.write(newStorageKey(), body("x".repeat(101)), OPTIONS).catch(() => {})],
    [
      "whose size was asked for",
      async () => {
        const key = newStorageKey();
        await store.write(key, body(), OPTIONS);
        await store.sizeOf(key);
      },
    ],
    [
      "of which nobody read on",
      async () => {
        const key = newStorageKey();
        await store.write(key, body(), OPTIONS);
        await (await store.read(key))?.stream.cancel();
      },
    ],
  ])("%s", async (_what, use) => {
    await use();
    const before = openFiles();
    for (let times = 0; times < 30; times++) await use();
    await expect.poll(() => openFiles() - before).toBeLessThan(10);
  });
});

it("whoever sends a body is told when nobody wants the rest of it", async () => {
  let isTold = false;
  const sender: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        isTold = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const stop = new AbortController();
  const next = untilAborted(sender, stop.signal).next();
  stop.abort(new Error("The client left."));
  await expect(next).rejects.toThrow("The client left.");
  expect(isTold).toBe(true);
});
