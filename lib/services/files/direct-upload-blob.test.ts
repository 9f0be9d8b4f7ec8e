import { getPayloadFromClientToken } from "@vercel/blob/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type BlobServer, startBlobServer } from "@/e2e/support/blob-server";
import { findInDatabase } from "@/e2e/support/canary-search";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { db, inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { eraseAccount } from "@/lib/services/data-rights/erase-account";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";
import { adoptUpload, type FileUse } from "@/lib/services/files/adopt-upload";
import { beginUpload } from "@/lib/services/files/begin-upload";
import { receiveUpload } from "@/lib/services/files/receive-upload";
import { releaseSessionFiles, removeReleased } from "@/lib/services/files/release-files";
import { removeFiles } from "@/lib/services/files/remove-files";
import { storeUpload } from "@/lib/services/files/store-upload";
import { ABANDONED_UPLOAD_MINUTES, sweepUploads } from "@/lib/services/files/sweep-uploads";
import { takeUpload } from "@/lib/services/files/take-upload";
import { BlobFileStore } from "@/lib/storage/blob-file-store";
import { fileStoreOf } from "@/lib/storage/select-store";
import { storeAway } from "@/lib/storage/store-away";

/** Direct uploads where files are in Vercel Blob: the bytes go to its server, which holds itself to the client's token. */

const BLOB_URL = "https://vercel.com/api/blob/";

let server: BlobServer;

beforeAll(async () => {
  server = await startBlobServer();
  process.env.VERCEL_BLOB_API_URL = server.apiUrl;
  process.env.VERCEL_BLOB_RETRIES = "0";
});
const database = useServiceDatabase(() => ({
  BLOB_READ_WRITE_TOKEN: server.token,
  STORAGE_URL: "https://files.example.com",
}));

afterAll(() => server.close());

const owner = { accountId: newId("account"), projectId: newId("project") };

it("an upload through the service fails with its store, and waits for no removal there", async () => {
  const remove = vi.spyOn(BlobFileStore.prototype, "remove").mockImplementation(() => new Promise(() => {}));
  server.faultStatus = 503;
  const stream = (async function* () {
    yield Buffer.from("whole");
  })();
  const stored = storeUpload(owner, { stream, name: "a.txt", contentType: "text/plain" });
  await expect(stored).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(remove).toHaveBeenCalled();
  server.faultStatus = null;
  remove.mockRestore();
});

it("bytes that the store makes a file of after it failed go with a later sweep", async () => {
  const write = vi.spyOn(BlobFileStore.prototype, "write").mockRejectedValue(storeAway(new Error("It said nothing.")));
  const remove = vi.spyOn(BlobFileStore.prototype, "remove");
  onTestFinished(() => {
    write.mockRestore();
    remove.mockRestore();
  });
  const stored = storeUpload(owner, { stream: (async function* () {})(), name: "a.txt", contentType: "text/plain" });
  await expect(stored).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  const [storageKey = ""] = write.mock.calls[0] ?? [];
  // It was looked for at once, and in vain.
  const ours = () => remove.mock.calls.findIndex(([key]) => key === storageKey);
  await expect.poll(() => remove.mock.settledResults[ours()]?.type).toBe("fulfilled");
  await sweepUploads();
  server.files.set(`files/${storageKey}`, Buffer.from("whole"));
  await db().query(
    "UPDATE pending_uploads SET started_at = started_at - interval '15 minutes' WHERE storage_key = $1",
    [storageKey],
  );
  await sweepUploads();
  expect(server.files.has(`files/${storageKey}`)).toBe(false);
  const { rowCount } = await db().query("SELECT FROM pending_uploads WHERE storage_key = $1", [storageKey]);
  expect(rowCount).toBe(0);
});

describe("a direct upload to Vercel Blob", () => {
  it("goes to the store without the service, and is taken with its kind, hash and size", async () => {
    const given = await begin(5);
    expect(given.uploadUrl.startsWith(`${BLOB_URL}?pathname=files%2F`)).toBe(true);
    expect(await put(given, "whole")).toBe(200);
    const draft = await takeUpload(owner, given.uploadId);
    expect(draft).toMatchObject({ store: "blob", size: 5, contentType: "text/plain", isByReference: true });
    expect(draft.url).toBe(`https://files.example.com/files/${draft.storageKey}`);
    expect(server.files.get(`files/${draft.storageKey}`)?.toString()).toBe("whole");
  });

  it("carries no more than the right to put that one file, once, of that size", async () => {
    const given = await begin(5);
    const other = await begin(5);
    expect(JSON.stringify(given)).not.toContain(server.token);
    const [, clientToken = ""] = given.headers.authorization?.split(" ") ?? [];
    expect(getPayloadFromClientToken(clientToken).validUntil).toBe(Date.parse(given.expiresAt));
    expect(await put(given, "longer")).toBe(403);
    expect(await put({ ...given, uploadUrl: other.uploadUrl }, "whole")).toBe(403);
    expect(await put(given, "whole")).toBe(200);
    expect(await put(given, "again")).toBe(400);
  });

  it("of another size than announced is refused when it is used", async () => {
    const given = await begin(5);
    await put(given, "abc");
    const read = vi.spyOn(fileStoreOf("blob"), "read");
    await expect(takeUpload(owner, given.uploadId)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      param: "uploadId",
    });
    const found = await read.mock.results[0]?.value;
    read.mockRestore();
    // Else its connection to the store would stay open.
    expect((await found.stream.getReader().read()).done).toBe(true);
  });

  it("that never came is not found, and one whose store is away can be tried again", async () => {
    const given = await begin(5);
    await expect(takeUpload(owner, given.uploadId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await put(given, "whole");
    server.faultStatus = 503;
    await expect(takeUpload(owner, given.uploadId)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    server.faultStatus = null;
    expect((await takeUpload(owner, given.uploadId)).size).toBe(5);
  });

  it("that comes when its account has been erased goes with the next sweep", async () => {
    const { accountId, principal } = await createTestAccount();
    const given = await beginUpload(principal, { name: "a.txt", size: 5 });
    const { companyName } = await prisma().account.findUniqueOrThrow({ where: { id: accountId } });
    await requestAccountErasure(OPERATOR, { accountId, confirmation: companyName });
    await eraseAccount(accountId);
    const before = [...server.files.keys()];
    expect(await put(given, "whole")).toBe(200);
    const [late = ""] = [...server.files.keys()].filter((name) => !before.includes(name));
    await expect(takeUpload(principal, given.uploadId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await db().query("UPDATE pending_uploads SET started_at = now() - make_interval(mins => $1)", [
      ABANDONED_UPLOAD_MINUTES + 1,
    ]);
    await sweepUploads();
    expect(server.files.has(late)).toBe(false);
    expect(await findInDatabase(database.url, principal.projectId)).toEqual([]);
  });

  it.each(["with its session", "by an erasure"])(
    "whose file was deleted %s leaves nothing that is put there again by the same token",
    async (way) => {
      const given = await begin(5);
      expect(await put(given, "whole")).toBe(200);
      const draft = await takeUpload(owner, given.uploadId);
      const sessionId = newId("session");
      await inTransaction((tx) => adoptUpload(tx, owner, draft, useIn(sessionId)));
      if (way === "by an erasure") expect(await removeFiles(ofSession(sessionId))).toBe(1);
      else await removeReleased(await inTransaction((tx) => releaseSessionFiles(tx, [sessionId])));
      const path = `files/${draft.storageKey}`;
      expect(server.files.has(path)).toBe(false);

      expect(await put(given, "again")).toBe(200);
      await expect(takeUpload(owner, given.uploadId)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(
        inTransaction((tx) => adoptUpload(tx, owner, draft, useIn(newId("session")))),
        "nor is it used by a call that had looked before",
      ).rejects.toMatchObject({ code: "NOT_FOUND" });
      await sweepUploads();
      expect(server.files.has(path), "the token may still be good").toBe(true);
      await db().query("UPDATE pending_uploads SET started_at = started_at - interval '60 minutes'");
      await sweepUploads();
      expect(server.files.has(path)).toBe(false);
    },
  );

  it("is looked for no more once its token is over", async () => {
    const given = await begin(5);
    await put(given, "whole");
    const draft = await takeUpload(owner, given.uploadId);
    const sessionId = newId("session");
    await inTransaction((tx) => adoptUpload(tx, owner, draft, useIn(sessionId)));
    await db().query("UPDATE stored_files SET created_at = now() - interval '61 minutes'");
    expect(await removeFiles(ofSession(sessionId))).toBe(1);
    const { rows } = await db().query("SELECT FROM pending_uploads WHERE storage_key = $1", [draft.storageKey]);
    expect(rows).toEqual([]);
  });

  it("is not taken by the service's own address", async () => {
    const { uploadId } = await begin(5);
    const stream = (async function* () {
      yield Buffer.from("whole");
    })();
    await expect(receiveUpload(uploadId, { stream, declaredBytes: 5 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

const ofSession = (sessionId: string) => ({ where: "f.session_id = $1", values: [sessionId] });

function useIn(sessionId: string): FileUse {
  return { sessionId, turnId: newId("turn"), endUserId: null, purpose: "input" };
}

function begin(size: number) {
  return beginUpload(owner, { name: "a.txt", size });
}

/** What a client does with the answer; the test's server stands where Vercel's would. */
async function put({ uploadUrl, method, headers }: Awaited<ReturnType<typeof begin>>, body: string): Promise<number> {
  const url = uploadUrl.replace(BLOB_URL, `${server.apiUrl}/`);
  return (await fetch(url, { method, headers, body })).status;
}
