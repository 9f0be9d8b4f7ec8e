import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readApiError } from "@/e2e/support/api-error";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { newId } from "@/lib/domain/ids";
import type { BodyPatience } from "@/lib/http/read-in-time";
import { receiveFileByTicket } from "@/lib/http/receive-file-by-ticket";
import { beginUpload } from "@/lib/services/files/begin-upload";
import { takeUpload } from "@/lib/services/files/take-upload";

const HOST = "https://service.test";
const owner = { accountId: newId("account"), projectId: newId("project") };

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "ticket-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir, APP_URL: HOST }));

afterAll(() => rm(dataDir, { recursive: true }));

describe("receiveFileByTicket", () => {
  it("answers 204 when the bytes are stored", async () => {
    const ticket = await begin();
    const response = await put(ticket, bodyOf("whole"));
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect((await takeUpload(owner, ticket)).size).toBe(5);
  });

  it("gives up an upload that falls silent, and leaves none of it", async () => {
    const response = await put(await begin(), silentAfter("wh"), { idleSeconds: 0.02 });
    await expectRefused(response, "VALIDATION_FAILED", /No bytes arrived/, true);
  });

  it("refuses an upload that breaks off, and leaves none of it", async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from("wh")),
      pull: (controller) => controller.error(new Error("reset")),
    });
    await expectRefused(await put(await begin(), broken), "VALIDATION_FAILED", /ended before/, true);
  });

  it("refuses a body that is not there, and a ticket that is none", async () => {
    await expectRefused(await put(await begin(), null), "VALIDATION_FAILED", /0 bytes/);
    await expectRefused(await put("none", bodyOf("whole")), "NOT_FOUND", /upload/);
  });
});

async function begin(): Promise<string> {
  return (await beginUpload(owner, { name: "a.txt", size: 5 })).uploadId;
}

function put(key: string, body: ReadableStream<Uint8Array> | null, patience?: BodyPatience): Promise<Response> {
  const request = new Request(`${HOST}/files/x`, { method: "PUT", body, duplex: "half" } as RequestInit);
  return receiveFileByTicket(request, { params: { key } }, patience);
}

async function expectRefused(response: Response, code: string, message: RegExp, retryable?: boolean): Promise<void> {
  const error = await readApiError(response, HOST, retryable);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(message);
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  expect(entries.filter((entry) => entry.name.endsWith(".part"))).toEqual([]);
}

function bodyOf(text: string): ReadableStream<Uint8Array> {
  return new Blob([text]).stream();
}

function silentAfter(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(text)) });
}
