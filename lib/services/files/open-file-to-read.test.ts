import { buffer } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";
import { owner, store, use, useUploadStage } from "@/e2e/support/upload-stage";
import { inTransaction } from "@/lib/db/pool";
import { adoptUpload } from "@/lib/services/files/adopt-upload";
import { openFileToRead } from "@/lib/services/files/open-file-to-read";
import { fileStoreOf } from "@/lib/storage/select-store";

useUploadStage();

async function storedFile(content: string): Promise<string> {
  const draft = await store(content);
  return inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
}

it("a file is let go of while its store gives no more of it, once nobody wants it any more", async () => {
  const fileId = await storedFile("hello");
  const letGo = vi.fn();
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from("he")),
    pull: () => new Promise(() => {}),
    cancel: letGo,
  });
  const read = vi.spyOn(fileStoreOf("disk"), "read").mockResolvedValue({ stream, size: 5 });
  onTestFinished(() => read.mockRestore());
  const stop = new AbortController();
  const { bytesSource } = await openFileToRead(owner.projectId, fileId, stop.signal);
  const bytes = (await bytesSource())[Symbol.asyncIterator]();
  expect(String((await bytes.next()).value)).toBe("he");
  const rest = expect(bytes.next()).rejects.toThrow("canceled");
  stop.abort(new Error("canceled"));
  await rest;
  expect(letGo).toHaveBeenCalledOnce();
});

it("a file is read whole, and by the part", async () => {
  const fileId = await storedFile("hello");
  const { bytesSource, size } = await openFileToRead(owner.projectId, fileId, new AbortController().signal);
  expect([size, String(await buffer(await bytesSource()))]).toEqual([5, "hello"]);
  expect(String(await buffer(await bytesSource({ start: 1, end: 3 })))).toBe("ell");
});
