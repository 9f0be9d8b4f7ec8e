import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { readApiError } from "@/e2e/support/api-error";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { makeTestCaller, type TestCallerOptions } from "@/e2e/support/test-caller";
import { startProcessEndpoint } from "@/lib/contracts/process";
import type { Template } from "@/lib/contracts/template-records";
import { uploadTemplateEndpoint } from "@/lib/contracts/templates";
import { db } from "@/lib/db/pool";
import { AppError, type ErrorCode } from "@/lib/domain/errors";
import { endpoint } from "@/lib/http/endpoint";

const HOST = "https://service.test";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "endpoint-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir, APP_URL: HOST }));

afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => rm(dataDir, { recursive: true }));

const errorOf = (response: Response) => readApiError(response, HOST);

describe("endpoint with a multipart body", () => {
  const accepted = { sessionId: "ses_x", status: "started" as const, fileUrl: "https://files.test/x" };

  function form(key: string, fields: Record<string, string>, file?: string): Request {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    if (file !== undefined) data.append("file", new Blob([file], { type: "text/plain" }), "note.txt");
    return new Request(`${HOST}/api/v1/process`, { method: "POST", headers: { "X-API-Key": key }, body: data });
  }

  async function storedFiles(): Promise<number> {
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const { rows } = await db().query<{ count: number }>("SELECT count(*) FROM pending_uploads");
    expect(entries.filter((entry) => entry.isFile())).toHaveLength(rows[0]?.count ?? -1);
    return rows[0]?.count ?? -1;
  }

  it("hands over fields and the stored file", async () => {
    const { apiKey } = await makeTestCaller();
    const before = await storedFiles();
    const handler = vi.fn(() => accepted);
    const fields = { prompt: "Summarise", templateVars: '\uFEFF{"n":1}', maxCredits: "5" };
    const response = await endpoint(startProcessEndpoint, handler)(form(apiKey, fields, "hello"));
    expect(response.status).toBe(202);
    expect(handler).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        body: { prompt: "Summarise", templateVars: { n: "1" }, maxCredits: 5 },
        files: [expect.objectContaining({ name: "note.txt", size: 5 })],
      }),
    );
    expect(await storedFiles()).toBe(before + 1);
  });

  it.each<[ErrorCode, string, Record<string, string>, string | undefined, string?]>([
    [
      "VALIDATION_FAILED",
      "a field is too long for any",
      { prompt: "x".repeat(4 * 1024 * 1024 + 1) },
      "hello",
      "prompt must have at most 100000 characters.",
    ],
    [
      "VALIDATION_FAILED",
      "a field of JSON is too long for any",
      { prompt: "x", templateVars: " ".repeat(4 * 1024 * 1024 + 1) },
      "hello",
      "templateVars must be at most 4194304 bytes.",
    ],
    ["VALIDATION_FAILED", "a field is missing", {}, "hello"],
    ["VALIDATION_FAILED", "a field is unknown", { prompt: "x", nope: "1" }, "hello"],
    ["VALIDATION_FAILED", "the file is missing", { prompt: "x" }, undefined, "file is required, or uploadId instead."],
    [
      "VALIDATION_FAILED",
      "an upload is named beside the file",
      { prompt: "x", uploadId: "upl_1" },
      "hello",
      "uploadId must be left out when there is a file.",
    ],
    ["VALIDATION_FAILED", "the file is empty", { prompt: "x" }, ""],
    ["VALIDATION_FAILED", "templateVars is no object", { prompt: "x", templateVars: "[]" }, "hello"],
    ["VALIDATION_FAILED", "a field holds NUL", { prompt: "a\0b" }, "hello"],
    ["INVALID_MULTIPART", "templateVars is no JSON", { prompt: "x", templateVars: "{" }, "hello"],
  ])("answers %s when %s, and leaves no file", async (code, _what, fields, file, message) => {
    const { apiKey } = await makeTestCaller();
    const before = await storedFiles();
    const response = await endpoint(startProcessEndpoint, () => accepted)(form(apiKey, fields, file));
    expect(await errorOf(response)).toMatchObject({ code, ...(message === undefined ? {} : { message }) });
    expect(await storedFiles()).toBe(before);
  });

  it("takes an upload's id in place of the file", async () => {
    const { apiKey } = await makeTestCaller();
    const handler = vi.fn(() => accepted);
    const body = { prompt: "Summarise", uploadId: "upl_1" };
    expect((await endpoint(startProcessEndpoint, handler)(form(apiKey, body))).status).toBe(202);
    expect(handler).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ body, files: [] }));
  });

  it("takes JSON in a part that says so, with the file name that clients give such a part", async () => {
    const { apiKey } = await makeTestCaller();
    const data = new FormData();
    data.append("prompt", "Summarise");
    data.append("templateVars", new Blob(['{"n":1}'], { type: "application/json" }));
    data.append("file", new Blob(["hello"]), "note.txt");
    const handler = vi.fn(() => accepted);
    const request = new Request(`${HOST}/x`, { method: "POST", headers: { "X-API-Key": apiKey }, body: data });
    expect((await endpoint(startProcessEndpoint, handler)(request)).status).toBe(202);
    expect(handler).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ body: { prompt: "Summarise", templateVars: { n: "1" } } }),
    );
  });

  it("takes a form whose own type names a charset, as some clients of Java's do: that of JSON is meant", async () => {
    const { apiKey } = await makeTestCaller();
    const request = form(apiKey, { prompt: "Grüße" }, "hello");
    request.headers.set("Content-Type", `${request.headers.get("Content-Type")}; charset=ISO-8859-1`);
    const handler = vi.fn(() => accepted);
    expect((await endpoint(startProcessEndpoint, handler)(request)).status).toBe(202);
    expect(handler).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ body: { prompt: "Grüße" } }));
  });

  it("leaves no second file when a call is repeated with its key", async () => {
    const { apiKey } = await makeTestCaller();
    const send = () => {
      const request = form(apiKey, { prompt: "x" }, "hello");
      request.headers.set("Idempotency-Key", "order-7");
      return endpoint(startProcessEndpoint, () => accepted)(request);
    };
    expect((await send()).status).toBe(202);
    const before = await storedFiles();
    const again = await send();
    expect([again.headers.get("idempotent-replayed"), await again.json()]).toEqual(["true", accepted]);
    expect(await storedFiles()).toBe(before);
  });

  it("leaves no file when the handler refuses", async () => {
    const { apiKey } = await makeTestCaller();
    const before = await storedFiles();
    const serve = endpoint(startProcessEndpoint, () => {
      throw new AppError("INSUFFICIENT_CREDITS", "No credits are left.");
    });
    expect((await errorOf(await serve(form(apiKey, { prompt: "x" }, "hello")))).code).toBe("INSUFFICIENT_CREDITS");
    expect(await storedFiles()).toBe(before);
  });

  it.each<[string, TestCallerOptions]>([
    ["the key may not", { permissions: ["chat"] }],
    ["the account is not verified", { verificationStatus: "pending" }],
  ])("does not read the body when %s", async (_what, options) => {
    const { apiKey } = await makeTestCaller(options);
    const request = form(apiKey, { prompt: "x" }, "hello");
    await endpoint(startProcessEndpoint, () => accepted)(request);
    expect(request.bodyUsed).toBe(false);
  });

  /** The same in two pieces; what is done in between takes its time. */
  async function slowly(request: Request, meanwhile: () => Promise<unknown>): Promise<Request> {
    const bytes = new Uint8Array(await request.arrayBuffer());
    const middle = bytes.length >> 1;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.subarray(0, middle));
      },
      async pull(controller) {
        await meanwhile();
        vi.advanceTimersByTime(1_000);
        controller.enqueue(bytes.subarray(middle));
        controller.close();
      },
    });
    const { url, method, headers } = request;
    return new Request(url, { method, headers, body, duplex: "half" } as RequestInit);
  }

  it.each<[string, string, ErrorCode | undefined]>([
    ["is revoked", "UPDATE api_keys SET revoked_at = now() WHERE account_id = $1", "INVALID_API_KEY"],
    ["loses its account", "UPDATE accounts SET verification_status = 'suspended' WHERE id = $1", "B2B_NOT_VERIFIED"],
    ["loses its project's API", "UPDATE projects SET api_enabled = false WHERE account_id = $1", "API_DISABLED"],
    ["stays good", "SELECT $1::text", undefined],
  ])("goes by the key as it is once the file is here: one that %s meanwhile", async (_what, change, code) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { apiKey, accountId } = await makeTestCaller();
    const before = await storedFiles();
    const handler = vi.fn(() => accepted);
    const request = await slowly(form(apiKey, { prompt: "x" }, "hello"), () => db().query(change, [accountId]));
    const response = await endpoint(startProcessEndpoint, handler)(request);
    if (code === undefined) return expect(response.status).toBe(202);
    expect((await errorOf(response)).code).toBe(code);
    expect(handler).not.toHaveBeenCalled();
    expect(await storedFiles()).toBe(before);
  });

  it("speaks of the key that was revoked meanwhile, not of the file that went with its account", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { apiKey, accountId } = await makeTestCaller();
    const before = await storedFiles();
    const request = await slowly(form(apiKey, { prompt: "x" }, "hello".repeat(100_000)), async () => {
      const part = await vi.waitUntil(async () =>
        (await readdir(dataDir, { recursive: true })).find((name) => name.endsWith(".part")),
      );
      await db().query("UPDATE api_keys SET revoked_at = now() WHERE account_id = $1", [accountId]);
      await rm(join(dataDir, part));
    });
    const response = await endpoint(startProcessEndpoint, () => accepted)(request);
    expect((await errorOf(response)).code).toBe("INVALID_API_KEY");
    // Of a store that seems away the answer does not wait for what is left.
    await expect.poll(storedFiles).toBe(before);
  });

  it("refuses JSON where a file is needed", async () => {
    const { apiKey } = await makeTestCaller();
    const response = await endpoint(
      startProcessEndpoint,
      () => accepted,
    )(
      new Request(`${HOST}/api/v1/process`, {
        method: "POST",
        headers: { "X-API-Key": apiKey, "Content-Type": "application/json" },
        body: '{"prompt":"x"}',
      }),
    );
    expect((await errorOf(response)).code).toBe("UNSUPPORTED_MEDIA_TYPE");
  });
});

describe("endpoint with a file that is held in memory", () => {
  const template = { id: "tpl_x" } as Template;

  async function send(file: Blob, fields: Record<string, string> = {}, handler = vi.fn((_input: unknown) => template)) {
    const { apiKey } = await makeTestCaller();
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    data.append("file", file, "dir/note\u202E.md");
    const init = { method: "POST", headers: { "X-API-Key": apiKey }, body: data };
    const serve = endpoint(uploadTemplateEndpoint, handler);
    return { handler, response: await serve(new Request(`${HOST}/api/v1/templates/upload`, init)) };
  }

  async function expectNothingStored(): Promise<void> {
    const { rows } = await db().query("SELECT storage_key FROM pending_uploads");
    const known = new Set(rows.map((row) => row.storage_key as string));
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile() && !known.has(entry.name))).toEqual([]);
    expect(known.size).toBe(storedBefore);
  }

  let storedBefore = 0;
  beforeAll(async () => {
    const { rows } = await db().query<{ count: number }>("SELECT count(*) FROM pending_uploads");
    storedBefore = rows[0]?.count ?? 0;
  });

  it("hands over its bytes, size, hash and safe name, and stores nothing", async () => {
    const { handler, response } = await send(new Blob(["h\u00e9llo"]), { name: "Note", variables: '{"a":"b"}' });
    expect(response.status).toBe(201);
    expect(handler).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        body: { name: "Note", variables: { a: "b" } },
        files: [
          {
            name: "note.md",
            size: 6,
            sha256: createHash("sha256").update("h\u00e9llo").digest("hex"),
            bytes: Buffer.from("h\u00e9llo"),
          },
        ],
      }),
    );
    await expectNothingStored();
  });

  it("takes exactly 1 MB and refuses one byte more", async () => {
    const exact = await send(new Blob(["x".repeat(1024 * 1024)]));
    expect(exact.response.status).toBe(201);
    const { handler, response } = await send(new Blob(["x".repeat(1024 * 1024 + 1)]));
    expect(await errorOf(response)).toMatchObject({ code: "FILE_TOO_LARGE", message: expect.stringMatching(/1 MB/) });
    expect(handler).not.toHaveBeenCalled();
    await expectNothingStored();
  });

  it("stores nothing when a field is wrong or the handler refuses", async () => {
    const wrong = await send(new Blob(["x"]), { nope: "1" });
    expect(await errorOf(wrong.response)).toMatchObject({ code: "VALIDATION_FAILED", param: "nope" });
    const refuse = vi.fn((_input: unknown): Template => {
      throw new AppError("NOT_FOUND", "The thing was not found.");
    });
    expect((await errorOf((await send(new Blob(["x"]), {}, refuse)).response)).code).toBe("NOT_FOUND");
    await expectNothingStored();
  });
});
