import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db, inTransaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { serveFile } from "@/lib/http/serve-file";
import { serveFileByKey } from "@/lib/http/serve-file-by-key";
import { adoptUpload } from "@/lib/services/files/adopt-upload";
import type { OpenFile } from "@/lib/services/files/open-file";
import { storeUpload } from "@/lib/services/files/store-upload";

const CONTENT = "0123456789";
const SHA256 = createHash("sha256").update(CONTENT).digest("hex");

let dataDir: string;
let key: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "serve-file-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir }));
beforeAll(async () => {
  delete process.env.BLOB_READ_WRITE_TOKEN;
  const owner = { accountId: newId("account"), projectId: newId("project") };
  const stream = (async function* () {
    yield Buffer.from(CONTENT);
  })();
  const draft = await storeUpload(owner, { name: 'Übersicht "1".txt', contentType: "text/plain", stream });
  const use = { sessionId: newId("session"), turnId: newId("turn"), endUserId: null, purpose: "input" } as const;
  await inTransaction((tx) => adoptUpload(tx, owner, draft, use));
  key = draft.storageKey;
});

afterAll(() => rm(dataDir, { recursive: true }));

describe("GET /files/<key>", () => {
  it("serves the bytes as a download that no browser runs", async () => {
    const response = await get(key);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(CONTENT);
    expect(Object.fromEntries(response.headers)).toEqual({
      "accept-ranges": "bytes",
      "cache-control": "private, no-store, no-transform",
      "content-disposition": `attachment; filename="_bersicht _1_.txt"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.txt`,
      "content-length": "10",
      "content-security-policy": "sandbox; default-src 'none'",
      "content-type": "text/plain",
      "cross-origin-resource-policy": "same-site",
      etag: `"${SHA256}"`,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-service-content-length": "10",
      "x-request-id": expect.stringMatching(/^req_/),
    });
  });

  it("answers HEAD with the same headers and no body, whatever range is asked for", async () => {
    const [head, full] = [await get(key, { method: "HEAD" }), await get(key)];
    const headersOf = (response: Response) =>
      Object.fromEntries([...response.headers].filter(([name]) => name !== "x-request-id"));
    expect([head.status, head.body]).toEqual([200, null]);
    expect(headersOf(head)).toEqual(headersOf(full));
    for (const range of ["bytes=0-1", "bytes=10-"]) {
      const ranged = await get(key, { method: "HEAD", headers: { range } });
      expect([ranged.status, headersOf(ranged)]).toEqual([200, headersOf(full)]);
    }
  });

  it.each([
    ["bytes=0-0", 206, "0", "bytes 0-0/10"],
    ["bytes=3-5", 206, "345", "bytes 3-5/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=5-100", 206, "56789", "bytes 5-9/10"],
    ["bytes=5-2", 200, CONTENT, null],
    ["bytes=0-1,3-4", 200, CONTENT, null],
    ["chunks=0-1", 200, CONTENT, null],
  ])("answers the range %s with %i", async (range, status, body, contentRange) => {
    const response = await get(key, { headers: { range } });
    expect([response.status, await response.text(), response.headers.get("content-range")]).toEqual([
      status,
      body,
      contentRange,
    ]);
    expect(response.headers.get("content-length")).toBe(String(body.length));
  });

  it.each(["bytes=10-", "bytes=-0"])(
    "answers the range %s, which begins behind the end, with an error and the size",
    async (range) => {
      const response = await get(key, { headers: { range } });
      expect([response.status, response.headers.get("content-range")]).toEqual([416, "bytes */10"]);
      expect(response.headers.get("etag")).toBe(`"${SHA256}"`);
      expect(await response.json()).toMatchObject({
        error: { code: "RANGE_NOT_SATISFIABLE", retryable: false, requestId: response.headers.get("x-request-id") },
      });
    },
  );

  it.each([
    [{ "if-none-match": `"${SHA256}"` }, 304],
    [{ "if-none-match": `"x", W/"${SHA256}"` }, 304],
    [{ "if-none-match": "*" }, 304],
    [{ "if-none-match": '"other"' }, 200],
    [{ range: "bytes=0-1", "if-range": `"${SHA256}"` }, 206],
    [{ range: "bytes=0-1", "if-range": '"other"' }, 200],
    [{ range: "bytes=0-1", "if-range": "Wed, 21 Oct 2026 07:28:00 GMT" }, 200],
  ])("answers the condition %j with %i", async (headers, status) => {
    const response = await get(key, { headers });
    expect(response.status).toBe(status);
    await response.body?.cancel();
  });

  it.each(["0".repeat(40), "nope", "..", "../../etc/passwd", "", "%2e%2e%2f", "a".repeat(10_000)])(
    "answers 404 JSON for %.20s",
    async (unknown) => {
      const response = await get(unknown);
      expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
      expect(await response.json()).toMatchObject({
        error: {
          code: "NOT_FOUND",
          message: "This file was not found.",
          retryable: false,
          requestId: response.headers.get("x-request-id"),
        },
      });
    },
  );

  it.each([
    ["lost", 404, () => rm(pathOf(key))],
    ["cut short", 404, () => writeFile(pathOf(key), CONTENT.slice(1))],
    [
      "cannot give",
      503,
      async () => {
        const folder = join(dataDir, "files", key.slice(0, 2));
        await rm(folder, { recursive: true });
        await writeFile(folder, "no folder");
      },
    ],
  ])("answers HEAD as GET of a file that its store has %s", async (_what, status, harm) => {
    await harm();
    for (const method of ["GET", "HEAD"]) expect((await get(key, { method })).status).toBe(status);
    await rm(join(dataDir, "files"), { recursive: true });
    await mkdir(dirname(pathOf(key)), { recursive: true });
    await writeFile(pathOf(key), CONTENT);
    expect((await get(key, { method: "HEAD" })).status).toBe(200);
  });

  it("answers 404 for a deleted file", async () => {
    await db().query("UPDATE stored_files SET deleted_at = now()");
    expect((await get(key)).status).toBe(404);
    await db().query("UPDATE stored_files SET deleted_at = NULL");
    expect((await get(key, { method: "HEAD" })).status).toBe(200);
  });
});

it("never builds a header that a file name or type can break out of", async () => {
  for (const name of [
    "a\r\nSet-Cookie: x=1",
    'x"; filename=evil.exe',
    "\u0000",
    "日本\u2028",
    "'; filename*=UTF-8''evil",
    "a".repeat(5000),
  ]) {
    const file: OpenFile = {
      id: "fil_x",
      name,
      contentType: "text/plain",
      size: 0,
      sha256: SHA256,
      read: async () => new ReadableStream(),
      find: async () => {},
    };
    const { headers } = await serveFile(new Request("http://test.local/", { method: "HEAD" }), file);
    expect(headers.get("content-disposition")).toMatch(
      /^attachment; filename="[^"\\\r\n]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/,
    );
    expect(headers.has("set-cookie")).toBe(false);
  }
});

const pathOf = (storageKey: string) =>
  join(dataDir, "files", storageKey.slice(0, 2), storageKey.slice(2, 4), storageKey);

function get(fileKey: string, init: RequestInit = {}): Promise<Response> {
  return serveFileByKey(new Request("http://test.local/files/x", init), { params: Promise.resolve({ key: fileKey }) });
}
