import { truncate, writeFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { describe, expect, it, vi } from "vitest";
import { owner, store, use, useUploadStage } from "@/e2e/support/upload-stage";
import { whileHeld } from "@/e2e/support/while-held";
import { db, inTransaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { adoptUpload } from "@/lib/services/files/adopt-upload";
import { openProjectFile, openStoredFile } from "@/lib/services/files/open-file";
import { openFileToRead } from "@/lib/services/files/open-file-to-read";
import { releaseSessionFiles } from "@/lib/services/files/release-files";
import { BytesRemoval } from "@/lib/services/files/remove-bytes";
import { removeFiles } from "@/lib/services/files/remove-files";
import { sweepUploads } from "@/lib/services/files/sweep-uploads";
import { fileStoreOf } from "@/lib/storage/select-store";
import { newStorageKey } from "@/lib/storage/storage-key";

const stage = useUploadStage();

describe("reading", () => {
  it("opens a file by its key, and by its id in its project alone", async () => {
    const draft = await store("0123456789", { name: "digits.txt" });
    await expect(openStoredFile(draft.storageKey)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const fileId = await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
    const file = await openStoredFile(draft.storageKey);
    expect(file).toMatchObject({
      id: fileId,
      name: "digits.txt",
      contentType: "text/plain",
      size: 10,
      sha256: draft.sha256,
    });
    expect((await buffer((await file.read()) as AsyncIterable<Uint8Array>)).toString()).toBe("0123456789");
    expect((await buffer((await file.read({ start: 3, end: 5 })) as AsyncIterable<Uint8Array>)).toString()).toBe("345");
    expect((await openProjectFile(owner.projectId, fileId)).id).toBe(fileId);
    await expect(openProjectFile(newId("project"), fileId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each([0, 9, 11])(
    "gives nothing of a file of 10 bytes that has %i in its store: nobody could tell",
    async (bytes) => {
      const draft = await store("0123456789");
      const fileId = await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
      const { storageKey } = draft;
      await writeFile(stage.pathOf(storageKey), "x".repeat(bytes));
      const file = await openStoredFile(storageKey);
      const lost = { code: "NOT_FOUND", status: 404 };
      const read = vi.spyOn(fileStoreOf("disk"), "read");
      await expect(file.read()).rejects.toMatchObject(lost);
      const found = await read.mock.results[0]?.value;
      read.mockRestore();
      // Else each try to get it would leave an open file behind.
      expect((await found.stream.getReader().read()).done).toBe(true);
      await expect(file.read({ start: 0, end: 1 })).rejects.toMatchObject(lost);
      await expect(file.find()).rejects.toMatchObject(lost);
      const unreadable = { name: "TurnError", code: "UNSUPPORTED_FILE", isRetryable: false };
      const { bytesSource } = await openFileToRead(owner.projectId, fileId);
      await expect(bytesSource()).rejects.toMatchObject(unreadable);
      await expect(bytesSource({ start: 0, end: 1 })).rejects.toMatchObject(unreadable);
    },
  );

  it.each([
    ["cut short", 1_000_000],
    ["longer", 5_000_000],
  ])("fails of a file that is made %s while it is read, instead of ending as if that were all", async (_how, bytes) => {
    const draft = await store("x".repeat(4_000_000));
    await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
    const { storageKey } = draft;
    const reader = (await (await openStoredFile(storageKey)).read()).getReader();
    expect((await reader.read()).value?.byteLength).toBeGreaterThan(0);
    await truncate(stage.pathOf(storageKey), bytes);
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  it("finds no file that was deleted, whose bytes are gone, or whose key is no key", async () => {
    const draft = await store("x");
    await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
    const file = await openStoredFile(draft.storageKey);
    await fileStoreOf("disk").remove(draft.storageKey);
    await expect(file.read()).rejects.toMatchObject({ code: "NOT_FOUND" });
    await db().query("UPDATE stored_files SET deleted_at = now()");
    for (const key of [draft.storageKey, "0".repeat(40), "../x", "", "%00"]) {
      await expect(openStoredFile(key)).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "This file was not found.",
      });
    }
  });

  it("gives the background a stream of all of it or of a part", async () => {
    const draft = await store("content");
    const fileId = await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
    const stream = await (await openProjectFile(owner.projectId, fileId)).read();
    expect((await buffer(stream as AsyncIterable<Uint8Array>)).toString()).toBe("content");
    const part = await (await openProjectFile(owner.projectId, fileId)).read({ start: 3, end: 5 });
    expect((await buffer(part as AsyncIterable<Uint8Array>)).toString()).toBe("ten");
  });
});

describe("removing", () => {
  it("finds no file that is being removed, also when its store fails; removing it again goes on", async () => {
    const draft = await store("personal");
    const fileId = await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
    const filter = { where: "f.id = $1", values: [fileId] };
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockRejectedValue(new Error("The disk is away."));
    await expect(removeFiles(filter)).rejects.toThrow("The disk is away.");
    await expect(openStoredFile(draft.storageKey)).rejects.toMatchObject({ code: "NOT_FOUND" });
    remove.mockRestore();
    expect(await removeFiles(filter)).toBe(1);
  });

  it("asks a store that fails again and again for no more of many files: each may take a minute to fail", async () => {
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockRejectedValue(new Error("The disk is away."));
    const places = Array.from({ length: 200 }, () => ({ storageKey: newStorageKey(), store: "disk" as const }));
    expect(await new BytesRemoval().remove(places)).toEqual([]);
    expect(remove.mock.calls.length).toBeLessThan(30);
    remove.mockRestore();
  });

  it("ends no removal while a file is left, also when another takes one of them at that moment", async () => {
    const sessionId = newId("session");
    const drafts = await Promise.all(Array.from({ length: 101 }, () => store("x")));
    const ids = await inTransaction(async (tx) => {
      const adopted: string[] = [];
      for (const draft of drafts) adopted.push(await adoptUpload(tx, owner, draft, use({ sessionId })));
      return adopted;
    });
    const filter = { where: "f.session_id = $1", values: [sessionId] };
    const hold = { statement: "DELETE FROM stored_files WHERE id = $1", id: ids[0] ?? "" };
    const [removed] = await whileHeld(hold, () => removeFiles(filter));
    expect(removed.status).toBe("fulfilled");
    expect((await db().query("SELECT FROM stored_files WHERE session_id = $1", [sessionId])).rowCount).toBe(0);
    expect(await stage.files()).toEqual([]);
  });

  it("waits for nobody who removes the same files with their session and waits for it", async () => {
    const sessionId = newId("session");
    const ids = Array.from({ length: 3 }, () => newId("file"));
    // Not in the order of their ids, as files are of which something was noted since they came.
    for (const id of ids.toReversed()) {
      const draft = await store("x");
      await inTransaction((tx) => adoptUpload(tx, owner, draft, use({ sessionId }), id));
    }
    const [released, removed] = await whileHeld(
      { statement: "SELECT FROM stored_files WHERE id = $1 FOR UPDATE", id: ids[1] ?? "" },
      () => inTransaction((tx) => releaseSessionFiles(tx, [sessionId])),
      () => removeFiles({ where: "f.session_id = $1", values: [sessionId] }),
    );
    expect([released.status, removed.status]).toEqual(["fulfilled", "fulfilled"]);
    await sweepUploads();
    expect(await stage.files()).toEqual([]);
  });

  it("goes on with another store when one fails, and says so at the end", async () => {
    const sessionId = newId("session");
    const drafts = [await store("one"), await store("two"), await store("three")];
    await inTransaction(async (tx) => {
      for (const draft of drafts) await adoptUpload(tx, owner, draft, use({ sessionId }));
    });
    await db().query("UPDATE stored_files SET store = 'blob' WHERE storage_key = $1", [drafts[0]?.storageKey]);
    const filter = { where: "f.session_id = $1", values: [sessionId] };
    await expect(removeFiles(filter)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    const { rows } = await db().query("SELECT store FROM stored_files WHERE session_id = $1", [sessionId]);
    expect(rows).toEqual([{ store: "blob" }]);
  });

  it("goes on with the other files of a store when even a quarter cannot be removed, and says so at the end", async () => {
    const sessionId = newId("session");
    const drafts = await Promise.all(Array.from({ length: 120 }, () => store("x")));
    await inTransaction(async (tx) => {
      for (const draft of drafts) await adoptUpload(tx, owner, draft, use({ sessionId }));
    });
    const disk = fileStoreOf("disk");
    const remove = disk.remove.bind(disk);
    const broken = drafts.filter((_, index) => index % 4 === 0).map(({ storageKey }) => storageKey);
    const failing = vi.spyOn(disk, "remove").mockImplementation(async (key) => {
      if (broken.includes(key)) throw new Error("The disk cannot read this folder.");
      return remove(key);
    });
    const filter = { where: "f.session_id = $1", values: [sessionId] };
    await expect(removeFiles(filter)).rejects.toThrow("The disk cannot read this folder.");
    failing.mockRestore();
    const { rows } = await db().query("SELECT storage_key FROM stored_files WHERE session_id = $1", [sessionId]);
    expect(rows.map((row) => row.storage_key).sort()).toEqual(broken.toSorted());
  });
});
