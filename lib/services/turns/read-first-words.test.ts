import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { sampleImage } from "@/lib/ai/files/samples/sample-image";
import { textPdf } from "@/lib/ai/files/samples/sample-pdf";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { storeUpload } from "@/lib/services/files/store-upload";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { buildModelRequest } from "@/lib/services/turns/build-model-request";
import { loadPartRoom } from "@/lib/services/turns/parts/part-room";
import { quoteTurn } from "@/lib/services/turns/quote-turn";

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
  // As it is for each part, were it read in parts.
  const ofPart = await loadPartRoom({ ...turn, ...place }, "some-small-model");
  expect(system?.parts).toEqual([{ type: "text", text: ofPart.system }]);
  const { rows } = await db().query("SELECT 1 FROM stored_files WHERE project_id = $1 AND extraction IS NOT NULL", [
    projectId,
  ]);
  expect(rows).toEqual([]);
});

it("a quote counts the knowledge that is chosen by how its files begin", async () => {
  const account = await createTestAccount();
  const principal = { ...account.principal, model: "some-small-model" };
  const { accountId, projectId } = principal;
  const sections = Array.from({ length: 400 }, (_, index) => `## Drill B${index}\n\n${"Filler of it. ".repeat(20)}`);
  const content = ["## Lamps\n\nThey shine.", ...sections].join("\n\n");
  await createKnowledgeFile(principal, { path: "tools.md", content });
  const upload = () =>
    storeUpload(principal, {
      name: "mail.txt",
      contentType: "text/plain",
      stream: (async function* () {
        yield Buffer.from("Which drill is it?");
      })(),
    });
  const call = { endpoint: "POST /process", requestId: newId("request"), input: "What of lamps?" };
  const quote = await quoteTurn(principal, { ...call, inputNames: ["prompt"], files: [await upload()] });
  const files = [await upload()];
  const accepted = await acceptTurn(principal, { ...call, kind: "process", creditsToReserve: 2, files });
  const turn = { input: call.input, endUserId: null, fileContent: null, systemPrompt: null };
  const place = { accountId, projectId, position: 0, templateId: null, templateVersion: null, ...accepted };
  const { tokensInEstimate, context } = await buildModelRequest({ ...turn, ...place }, principal.model, {
    payer: null,
  });
  expect(context.tokens.knowledge).toBeGreaterThan(3_000);
  expect(Math.abs(quote.tokensInEstimate - tokensInEstimate)).toBeLessThan(100);
});
