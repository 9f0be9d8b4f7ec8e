import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { owner, pendingKeys, store, use, useUploadStage } from "@/e2e/support/upload-stage";
import { db, inTransaction } from "@/lib/db/pool";
import { adoptUpload } from "@/lib/services/files/adopt-upload";
import { discardUpload } from "@/lib/services/files/discard-upload";
import { renewLeases } from "@/lib/services/files/lease-upload";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { sweepUploads } from "@/lib/services/files/sweep-uploads";
import { fileStoreOf } from "@/lib/storage/select-store";

const stage = useUploadStage();

beforeEach(async () => {
  // What another test left there is no more, and with it the timer ends.
  await renewLeases();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => vi.useRealTimers());

/** As it is when the process of it said nothing for longer than a lease. */
async function endLeases(...drafts: UploadDraft[]): Promise<void> {
  await db().query(
    "UPDATE pending_uploads SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL AND ($1 OR storage_key = ANY ($2))",
    [drafts.length === 0, drafts.map(({ storageKey }) => storageKey)],
  );
}

async function openLeases(): Promise<number | null> {
  return (await db().query("SELECT FROM pending_uploads WHERE leased_until > now()")).rowCount;
}

describe("the lease of an upload", () => {
  it("leaves nothing of a process that died in mid-upload: the next sweep takes the part of the file, however young", async () => {
    const { closeFile } = await stage.uploadHalf();
    expect(await sweepUploads()).toEqual({ removed: 0, failed: 0 });
    await endLeases();
    expect(await sweepUploads()).toEqual({ removed: 1, failed: 0 });
    expect(await stage.files()).toEqual([]);
    await closeFile();
  });

  it("is renewed each minute while the process lives: a slow upload is no abandoned one", async () => {
    const draft = await store("slow");
    await endLeases(draft);
    await vi.advanceTimersByTimeAsync(60_000);
    await expect.poll(openLeases).toBe(1);
    expect(await sweepUploads()).toEqual({ removed: 0, failed: 0 });
    expect(await pendingKeys()).toEqual([draft.storageKey]);
  });

  it("goes on after a minute in which the database did not answer", async () => {
    const draft = await store("slow");
    await endLeases(draft);
    const query = vi.spyOn(db(), "query").mockRejectedValueOnce(new Error("away") as never);
    onTestFinished(() => query.mockRestore());
    await vi.advanceTimersByTimeAsync(60_000);
    expect(query).toHaveBeenCalledOnce();
    expect(await openLeases()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    await expect.poll(openLeases).toBe(1);
    expect(await sweepUploads()).toEqual({ removed: 0, failed: 0 });
    expect(await pendingKeys()).toEqual([draft.storageKey]);
  });

  it("ends with what it is of: nothing is said of uploads that were used or discarded", async () => {
    const used = await store("used");
    await inTransaction((tx) => adoptUpload(tx, owner, used, use()));
    await discardUpload(await store("discarded"));
    await renewLeases();
    const query = vi.spyOn(db(), "query");
    onTestFinished(() => query.mockRestore());
    await vi.advanceTimersByTimeAsync(600_000);
    expect(query).not.toHaveBeenCalled();
    expect(await stage.files()).toHaveLength(1);
  });

  it("is renewed no more of what could not be discarded: its process lives, and the sweep still finds it", async () => {
    const draft = await store("unwanted");
    const query = vi.spyOn(db(), "query").mockRejectedValueOnce(new Error("away") as never);
    await expect(discardUpload(draft)).rejects.toThrow("away");
    query.mockRestore();
    await endLeases();
    await renewLeases();
    expect(await sweepUploads()).toEqual({ removed: 1, failed: 0 });
  });

  it("brings nothing back to life that a sweep has taken", async () => {
    const draft = await store("taken");
    await endLeases();
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockRejectedValueOnce(new Error("away"));
    onTestFinished(() => remove.mockRestore());
    expect(await sweepUploads()).toEqual({ removed: 0, failed: 1 });
    await renewLeases();
    expect(await sweepUploads()).toEqual({ removed: 1, failed: 0 });
    await expect(inTransaction((tx) => adoptUpload(tx, owner, draft, use()))).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
  });
});
