import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { storeUpload } from "@/lib/services/files/store-upload";
import { getProcess } from "@/lib/services/process/get-process";
import { listSessionTurns } from "@/lib/services/sessions/list-session-turns";
import { listProcesses } from "@/lib/services/sessions/list-sessions";
import { acceptTurn } from "@/lib/services/turns/accept-turn";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "file-url-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir, STORAGE_URL: "https://files.example.test" }));

afterAll(() => rm(dataDir, { recursive: true }));

it("of a file leads to where files are now, whatever address the service had when the file came", async () => {
  const { principal } = await createTestAccount();
  const stream = (async function* () {
    yield Buffer.from("Text");
  })();
  const files = [await storeUpload(principal, { name: "report.txt", contentType: "", stream })];
  const { sessionId } = await acceptTurn(principal, chatTurn({ kind: "process", files }));
  await db().query("UPDATE stored_files SET url = replace(url, 'https://files.example.test', 'http://localhost:3000')");
  const address = `https://files.example.test/files/${files[0]?.storageKey}`;
  expect(await getProcess(principal, sessionId)).toMatchObject({ fileUrl: address });
  expect((await listProcesses(principal, { limit: 1, offset: 0 })).data).toMatchObject([{ fileUrl: address }]);
  expect(await listSessionTurns(principal, sessionId)).toMatchObject([{ files: [{ url: address }] }]);
});
