import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { useTestSettings } from "@/e2e/support/test-settings";
import { fileStore } from "@/lib/storage/select-store";
import { newStorageKey } from "@/lib/storage/storage-key";

const MEGABYTE = 1024 * 1024;

it("leaves as many megabytes of the disk free as the settings say", async () => {
  const directory = await mkdtemp(join(tmpdir(), "select-store-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const { bavail, bsize } = await statfs(directory);
  const beyond = Math.ceil((bavail * bsize) / MEGABYTE) * 2;
  useTestSettings("postgres://nobody@127.0.0.1:1/none", { DATA_DIR: directory, MIN_FREE_DISK_MB: String(beyond) });
  delete process.env.BLOB_READ_WRITE_TOKEN;
  const body = (async function* () {
    yield Buffer.from("x");
  })();
  const written = fileStore().write(newStorageKey(), body, { contentType: "text/plain", maxBytes: 10 });
  await expect(written).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    message: expect.stringContaining("room"),
  });
});
