import { describe, expect, it, onTestFinished, vi } from "vitest";
import { age, owner, pendingKeys, store, use, useUploadStage } from "@/e2e/support/upload-stage";
import { db, inTransaction } from "@/lib/db/pool";
import { MAX_OPEN_UPLOADS } from "@/lib/domain/limits";
import { adoptUpload } from "@/lib/services/files/adopt-upload";
import { discardUpload } from "@/lib/services/files/discard-upload";
import { storeUpload } from "@/lib/services/files/store-upload";
import { ABANDONED_UPLOAD_MINUTES, sweepUploads } from "@/lib/services/files/sweep-uploads";
import { waitBriefly } from "@/lib/services/files/wait-briefly";
import { fileStoreOf } from "@/lib/storage/select-store";

const stage = useUploadStage();

describe("discardUpload", () => {
  it("keeps an adopted file, and a second discard is no error", async () => {
    const draft = await store("hello");
    await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
    await discardUpload(draft);
    expect(await stage.files()).toHaveLength(1);
    const other = await store("other");
    await discardUpload(other);
    await discardUpload(other);
    expect(await stage.files()).toHaveLength(1);
  });

  it("keeps no call waiting for a store that says nothing: what it left goes with the next sweep", async () => {
    const draft = await store("hello");
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockReturnValue(new Promise(() => {}));
    onTestFinished(() => remove.mockRestore());
    await waitBriefly(discardUpload(draft), 20);
    await expect.poll(() => remove.mock.calls).toEqual([[draft.storageKey]]);
    remove.mockRestore();
    expect(await sweepUploads()).toEqual({ removed: 1, failed: 0 });
    expect(await stage.files()).toEqual([]);
  });

  it("removes bytes whose row was taken while they came in, as an erasure of their account does", async () => {
    const coming = Promise.withResolvers<void>();
    const storing = storeUpload(owner, {
      name: "a",
      contentType: "",
      stream: (async function* () {
        await coming.promise;
        yield Buffer.from("late");
      })(),
    });
    await expect.poll(pendingKeys).toHaveLength(1);
    for (const storageKey of await pendingKeys()) await discardUpload({ storageKey, store: "disk" });
    coming.resolve();
    const draft = await storing;
    await expect(inTransaction((tx) => adoptUpload(tx, owner, draft, use()))).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    await discardUpload(draft);
    expect(await stage.files()).toEqual([]);
  });

  it("keeps nobody from the database while the store says nothing", async () => {
    const drafts = await Promise.all(Array.from({ length: 40 }, () => store("x")));
    const answers = Promise.withResolvers<void>();
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockImplementation(() => answers.promise);
    const discarded = Promise.all(drafts.map(discardUpload));
    await vi.waitFor(() => expect(remove).toHaveBeenCalledTimes(drafts.length));
    answers.resolve();
    await discarded;
    remove.mockRestore();
    expect(await pendingKeys()).toEqual([]);
  });

  it("leaves the row to the sweep when the bytes cannot be removed", async () => {
    const draft = await store("hello");
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockRejectedValueOnce(new Error("away"));
    await expect(discardUpload(draft)).rejects.toThrow("away");
    remove.mockRestore();
    expect(await pendingKeys()).toEqual([draft.storageKey]);
  });
});

describe("sweepUploads", () => {
  it("removes abandoned uploads with their bytes, and no others", async () => {
    const abandoned = [await store("one"), await store("two")];
    await age(abandoned, ABANDONED_UPLOAD_MINUTES + 1);
    const young = await store("young");
    const adopted = await store("adopted");
    await inTransaction((tx) => adoptUpload(tx, owner, adopted, use()));
    expect(await sweepUploads()).toEqual({ removed: 2, failed: 0 });
    expect(await pendingKeys()).toEqual([young.storageKey]);
    expect((await stage.files()).map((path) => path.slice(-40)).sort()).toEqual(
      [young.storageKey, adopted.storageKey].sort(),
    );
    expect(await sweepUploads()).toEqual({ removed: 0, failed: 0 });
  });

  it("removes what a crash in mid-upload left: a part of a file and its row", async () => {
    const { closeFile } = await stage.uploadHalf();
    await db().query("UPDATE pending_uploads SET started_at = now() - interval '1 day'");
    expect(await sweepUploads()).toEqual({ removed: 1, failed: 0 });
    expect(await stage.files()).toEqual([]);
    await closeFile();
  });

  it("leaves to the next sweep what cannot be removed now, and goes on with the rest", async () => {
    const drafts = [await store("one"), await store("two"), await store("three")];
    await age(drafts, 1000);
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockRejectedValueOnce(new Error("away"));
    const told = vi.spyOn(await import("@/lib/log"), "log");
    expect(await sweepUploads()).toEqual({ removed: 2, failed: 1 });
    remove.mockRestore();
    const inWords = expect.stringContaining("could not be removed");
    expect(told.mock.calls).toEqual([["warn", inWords, { failed: 1 }, new Error("away")]]);
    told.mockRestore();
    expect(await pendingKeys()).toHaveLength(1);
    expect(await sweepUploads()).toEqual({ removed: 1, failed: 0 });
    expect(await stage.files()).toEqual([]);
  });

  it("comes to each upload in the end, however many others can never be removed", async () => {
    const drafts = [await store("one"), await store("two")];
    await age(drafts, 1000);
    const broken = Array.from({ length: 60 }, (_, index) => String(index).padStart(40, "0"));
    await db().query(
      `INSERT INTO pending_uploads (storage_key, store, project_id, started_at)
       SELECT key, 'disk', $2, CASE WHEN key > lpad('30', 40, '0') THEN now() - interval '7 hours' ELSE to_timestamp(0) END
       FROM unnest($1::text[]) key`,
      [broken, owner.projectId],
    );
    const disk = fileStoreOf("disk");
    const remove = disk.remove.bind(disk);
    const failing = vi.spyOn(disk, "remove").mockImplementation(async (key) => {
      if (broken.includes(key)) throw new Error("The disk cannot read this folder.");
      return remove(key);
    });
    onTestFinished(async () => {
      failing.mockRestore();
      await db().query("DELETE FROM pending_uploads");
    });
    for (let sweeps = 0; sweeps < 4; sweeps += 1) await sweepUploads();
    expect(await stage.files()).toEqual([]);
    expect((await pendingKeys()).toSorted()).toEqual(broken);
    const tried = failing.mock.calls.map(([key]) => key);
    expect(broken.filter((key) => !tried.includes(key))).toEqual([]);
  });

  it("removes in an hour what many projects leave in one, so that it never falls behind", async () => {
    const projects = 11;
    await db().query(
      `INSERT INTO pending_uploads (storage_key, store, project_id, started_at)
       SELECT lpad(n::text, 40, '0'), 'disk', $1, to_timestamp(0) FROM generate_series(1, $2::int) n`,
      [owner.projectId, projects * MAX_OPEN_UPLOADS],
    );
    expect(await sweepUploads()).toEqual({ removed: projects * MAX_OPEN_UPLOADS, failed: 0 });
  });

  it("goes on with another store when all of one fail, however many", async () => {
    const draft = await store("mine");
    await age([draft], 1000);
    await db().query(
      `INSERT INTO pending_uploads (storage_key, store, project_id, started_at)
       SELECT lpad(n::text, 40, '0'), 'blob', $1, to_timestamp(0) FROM generate_series(1, 1100) n`,
      [owner.projectId],
    );
    const { removed, failed } = await sweepUploads();
    expect(removed).toBe(1);
    expect(failed).toBeLessThan(30);
    expect(await stage.files()).toEqual([]);
  });

  it("holds no transaction while the store says nothing: Postgres would end it, and the sweep", async () => {
    const draft = await store("mine");
    await age([draft], 1000);
    const answers = Promise.withResolvers<void>();
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockImplementation(() => answers.promise);
    const sweep = sweepUploads();
    await vi.waitFor(() => expect(remove).toHaveBeenCalled());
    const { rowCount } = await db().query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'",
    );
    expect(rowCount).toBe(0);
    await expect(inTransaction((tx) => adoptUpload(tx, owner, draft, use()))).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    answers.resolve();
    expect(await sweep).toEqual({ removed: 1, failed: 0 });
    remove.mockRestore();
    expect(await pendingKeys()).toEqual([]);
  });

  it("does not take an upload that is being adopted, and two sweeps share the work", async () => {
    const draft = await store("mine");
    await age([draft], 1000);
    await inTransaction(async (tx) => {
      await adoptUpload(tx, owner, draft, use());
      expect(await sweepUploads()).toEqual({ removed: 0, failed: 0 });
    });
    expect(await stage.files()).toHaveLength(1);
    const many = await Promise.all(Array.from({ length: 20 }, () => store("x")));
    await age(many, 1000);
    const results = await Promise.all([sweepUploads(), sweepUploads(), sweepUploads()]);
    expect(results.reduce((sum, { removed }) => sum + removed, 0)).toBe(20);
  });
});
