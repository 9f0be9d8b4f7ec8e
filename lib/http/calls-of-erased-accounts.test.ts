import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as chat from "@/app/api/v1/chat/route";
import * as batch from "@/app/api/v1/process/batch/route";
import * as processing from "@/app/api/v1/process/route";
import { readApiError } from "@/e2e/support/api-error";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";

const HOST = "https://service.example";
let dataDir = "";

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "calls-of-erased-accounts-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir, APP_URL: HOST, STORAGE_URL: "https://files.example" }));
afterAll(() => rm(dataDir, { recursive: true }));

const post = (path: string, apiKey: string, body: BodyInit, headers: Record<string, string> = {}) =>
  new Request(`${HOST}/api/v1${path}`, { method: "POST", body, headers: { "X-API-Key": apiKey, ...headers } });

function form(): FormData {
  const body = new FormData();
  body.set("prompt", "Summarise.");
  body.set("file", new File(["Hello"], "hello.txt"));
  return body;
}

const CALLS = [
  {
    what: "a message",
    call: (key: string) =>
      chat.POST(post("/chat", key, JSON.stringify({ message: "Hello" }), { "Content-Type": "application/json" }), {}),
  },
  {
    what: "a file",
    call: (key: string) => processing.POST(post("/process", key, form()), {}),
  },
  {
    what: "a batch",
    call: (key: string) => batch.POST(post("/process/batch", key, form()), {}),
  },
];

describe("an account's project that is erased while a call is being accepted", () => {
  it.each(CALLS)("has a call with $what told of its key, and leaves nothing of it", async ({ call }) => {
    const { accountId, projectId, apiKey } = await createTestAccount();
    const [answer] = await whileHeld<[Response]>(
      {
        statement: "SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE",
        id: accountId,
        meanwhile: () => db().query("DELETE FROM projects WHERE id = $1", [projectId]),
      },
      () => call(apiKey),
    );
    if (answer.status === "rejected") throw answer.reason;
    expect(answer.value.status).toBe(401);
    expect((await readApiError(answer.value, HOST)).code).toBe("INVALID_API_KEY");
    const { rows } = await db().query("SELECT credit_reserved FROM accounts WHERE id = $1", [accountId]);
    expect(rows).toEqual([{ credit_reserved: 0 }]);
    const left = await readdir(dataDir, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([]);
  });
});
