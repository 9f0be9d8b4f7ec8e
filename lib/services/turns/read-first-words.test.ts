import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { sampleImage } from "@/lib/ai/files/sample-image";
import { textPdf } from "@/lib/ai/files/sample-pdf";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { storeUpload } from "@/lib/services/files/store-upload";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { buildModelRequest } from "@/lib/services/turns/build-model-request";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "first-words-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir, STORAGE_URL: "https://files.example.test" }));
afterAll(() => rm(dataDir, { recursive: true }));

const QUESTION = "Dear all, how heavy is the B337, please?";

it.each([
  ["mail.txt", () => Buffer.from(QUESTION)],
  ["letter.pdf", () => textPdf([QUESTION])],
])("knowledge is also chosen by how %s begins, and nothing is noted of that", async (name, makeBytes) => {
  const { accountId, projectId, principal } = await createTestAccount();
  const about = (index: number) =>
    `## Drill B${index}\n\nIt weighs ${index} kg. ${"Filler about nothing. ".repeat(20)}`;
  const sections = Array.from({ length: 400 }, (_, index) => about(index));
  await createKnowledgeFile(principal, { path: "drills.md", content: sections.join("\n\n") });
  const bytes = makeBytes();
  const upload = (fileName: string, content: Uint8Array) =>
    storeUpload(principal, {
      name: fileName,
      contentType: "application/octet-stream",
      stream: (async function* () {
        yield content;
      })(),
    });
  const turn = { input: "Answer this.", endUserId: null, fileContent: null, systemPrompt: null };
  const { sessionId, turnId } = await acceptTurn(principal, {
    endpoint: "POST /process",
    requestId: newId("request"),
    kind: "process",
    input: turn.input,
    creditsToReserve: 2,
    files: [await upload("photo.png", sampleImage("png", 40, 30)), await upload(name, bytes)],
  });
  const place = { turnId, sessionId, accountId, projectId, position: 0, templateId: null, templateVersion: null };
  const ask = (position: number) =>
    buildModelRequest({ ...turn, ...place, position }, "some-small-model", { payer: null });
  const [system] = (await ask(0)).messages;
  expect(JSON.stringify(system)).toContain("It weighs 337 kg.");
  const { rows } = await db().query("SELECT 1 FROM stored_files WHERE project_id = $1 AND extraction IS NOT NULL", [
    projectId,
  ]);
  expect(rows).toEqual([]);
});
