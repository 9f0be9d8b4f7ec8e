import { expect, test } from "playwright/test";
import { textOfStream } from "@/e2e/support/api-client";
import { readBooks } from "@/e2e/support/books";
import { type FaultStage, setFaultStage } from "@/e2e/support/fault-stage";
import {
  countAsked,
  countingModel,
  halfScannedDocument,
  LONG_DOCUMENT_MODEL,
  longDocument,
  partNumber,
  readKeptParts,
} from "@/e2e/support/long-document";
import { shownPages, tellingScan, tellingTiffPage } from "@/e2e/support/shown-pages";
import { sampleTiff } from "@/lib/ai/files/samples/sample-tiff";

const PAGES = 2_000;
/** Every other one is a picture; a part takes twenty. */
const SCANNED_PAGES = 240;
const FAX_PAGES = 45;
const PART_MS = 700;

interface Process {
  status: string;
  output: string;
  tokensIn: number;
  creditsUsed: number;
  context?: { files: object[]; parts?: { count: number; joins: number; ranges: string[] } };
}

let stage: FaultStage;

test.describe.configure({ mode: "serial", timeout: 180_000 });

test.beforeAll(async () => {
  stage = await setFaultStage({ DEFAULT_MODEL: LONG_DOCUMENT_MODEL });
  stage.model.setBehaviour(countingModel(PART_MS));
});

test.afterAll(async () => {
  await stage?.close();
});

test("2,000 pages are read to their end though the server is killed in between; what was read is not asked again", async () => {
  const { api, service, model, account, databaseUrl } = stage;
  const prompt = "How many facts are there?";
  const { status, body } = await api.upload<{ sessionId: string }>("/process", { file: longDocument(PAGES), prompt });
  expect(status).toBe(202);
  const { sessionId } = body;
  await expect
    .poll(async () => (await readKeptParts(databaseUrl, sessionId)).kept.length, { timeout: 60_000 })
    .toBeGreaterThan(3);
  await service.kill();
  const { kept, total } = await readKeptParts(databaseUrl, sessionId);
  expect(kept.length).toBeLessThan(total);
  await service.start();

  const done = await api.waitUntilDone<Process>(`/process/${sessionId}`);
  expect(done.status, JSON.stringify(done)).toBe("completed");
  expect(done.output).toBe(`Found ${PAGES} facts\n\nRead in ${total} parts: pages 1-2,000 of 2,000.`);
  const asked = countAsked(model.journal);
  expect([...asked.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
  for (const number of kept) expect(asked.get(number), `part ${number}`).toBe(1);
  expect(Math.max(...asked.values())).toBeLessThanOrEqual(2);
  expect((await readKeptParts(databaseUrl, sessionId)).total).toBe(0);

  const events = (await api.stream(`/chat/${sessionId}/stream`)) ?? [];
  expect(new Set(events.map(({ event }) => event))).toEqual(new Set(["status", "chunk", "completed"]));
  expect(textOfStream(events)).toBe(done.output);
  expect(await readBooks(databaseUrl, account.accountId)).toMatchObject({
    balance: 100_000 - done.creditsUsed,
    ledger: 100_000 - done.creditsUsed,
    reserved: 0,
    doubleCharges: 0,
    wrongTerminals: 0,
    wrongTexts: 0,
  });
});

test("a quote of such a document is near what it cost", async () => {
  const { api } = stage;
  const form = { file: longDocument(PAGES), prompt: "How many facts are there?" };
  const quote = await api.upload<{ tokensInEstimate: number; creditsEstimate: { min: number; max: number } }>(
    "/process?dryRun=true",
    form,
  );
  const { body } = await api.get<{ data: Process[] }>("/process");
  const real = body.data[0] as Process;
  expect(quote.body.tokensInEstimate).toBeGreaterThan(real.tokensIn / 2);
  expect(quote.body.tokensInEstimate).toBeLessThan(real.tokensIn * 2);
  expect(quote.body.creditsEstimate.max).toBeGreaterThan(real.creditsUsed / 2);
  expect(quote.body.creditsEstimate.max).toBeLessThan(real.creditsUsed * 2);
});

test("a PDF that is half scanned is read to its end with its pictures though the server is killed in between", async () => {
  const { api, service, model, account, databaseUrl } = stage;
  const before = await readBooks(databaseUrl, account.accountId);
  const asked = model.journal.length;
  const file = halfScannedDocument(SCANNED_PAGES, tellingScan);
  const { body } = await api.upload<{ sessionId: string }>("/process", { file, prompt: "How many facts are there?" });
  const { sessionId } = body;
  await expect
    .poll(async () => (await readKeptParts(databaseUrl, sessionId)).kept.length, { timeout: 60_000 })
    .toBeGreaterThan(1);
  await service.kill();
  const { kept, total } = await readKeptParts(databaseUrl, sessionId);
  expect(kept.length).toBeLessThan(total);
  await service.start();

  const done = await api.waitUntilDone<Process>(`/process/${sessionId}`);
  expect(done.status, JSON.stringify(done)).toBe("completed");
  expect(done.output).toBe(`Found ${SCANNED_PAGES} facts\n\nRead in ${total} parts: pages 1-240 of 240.`);
  expect(done.context?.files).toMatchObject([{ pages: SCANNED_PAGES, picturePages: SCANNED_PAGES / 2 }]);
  const requests = model.journal.slice(asked);
  for (const number of kept) expect(countAsked(requests).get(number), `part ${number}`).toBe(1);
  const byPart = Map.groupBy(requests, partNumber);
  for (const [number, [first, ...again]] of byPart) {
    if (number === null || !first) continue;
    const pages = shownPages(first).map(({ page }) => page);
    expect(shownPages(first).map(({ named }) => named)).toEqual(pages);
    for (const request of again) expect(shownPages(request), `part ${number}`).toEqual(shownPages(first));
  }
  expect(await readBooks(databaseUrl, account.accountId)).toMatchObject({
    balance: before.balance - done.creditsUsed,
    reserved: 0,
    doubleCharges: 0,
  });
});

test("a fax of more pages than one request takes is read to its end, each page in its place", async () => {
  const { api, model } = stage;
  const asked = model.journal.length;
  const pages = Array.from({ length: FAX_PAGES }, (_, index) => index + 1);
  const file = new File([new Uint8Array(sampleTiff(pages.map(tellingTiffPage)))], "fax.tif", { type: "image/tiff" });
  const { body } = await api.upload<{ sessionId: string }>("/process", { file, prompt: "How many facts are there?" });
  const done = await api.waitUntilDone<Process>(`/process/${body.sessionId}`);
  expect(done.output).toBe(`Found ${FAX_PAGES} facts\n\nRead in 3 parts: pages 1-${FAX_PAGES} of ${FAX_PAGES}.`);
  expect(done.context?.files).toMatchObject([{ kind: "tiff", pages: FAX_PAGES, picturePages: FAX_PAGES }]);
  const shown = model.journal.slice(asked).flatMap(shownPages);
  expect(shown.map(({ page }) => page).toSorted((a, b) => a - b)).toEqual(pages);
  expect(shown.map(({ named }) => named)).toEqual(shown.map(({ page }) => page));
});

test("what failed in the midst of a document is read on from there when it is tried again, and charged once", async () => {
  const { api, model, account, databaseUrl } = stage;
  const before = await readBooks(databaseUrl, account.accountId);
  const counting = countingModel(0);
  model.setBehaviour((request) =>
    partNumber(request) === 9 ? { fault: { kind: "status", status: 400 } } : counting(request),
  );
  const asked = model.journal.length;
  const prompt = "How many facts are there?";
  const { body } = await api.upload<{ sessionId: string }>("/process", { file: longDocument(PAGES), prompt });
  expect((await api.waitUntilDone<Process>(`/process/${body.sessionId}`)).status).toBe("failed");
  expect(await readBooks(databaseUrl, account.accountId)).toMatchObject({ balance: before.balance, reserved: 0 });
  const { kept } = await readKeptParts(databaseUrl, body.sessionId);
  expect(kept.length).toBeGreaterThan(1);

  model.setBehaviour(countingModel(0));
  expect((await api.post(`/process/${body.sessionId}/retry`, {})).status).toBe(202);
  const done = await api.waitUntilDone<Process>(`/process/${body.sessionId}`);
  const total = done.context?.parts?.count ?? 0;
  expect(done.output).toBe(`Found ${PAGES} facts\n\nRead in ${total} parts: pages 1-2,000 of 2,000.`);
  const times = countAsked(model.journal.slice(asked));
  for (const number of kept) expect(times.get(number), `part ${number}`).toBe(1);
  expect(times.size).toBe(total);
  expect((await readKeptParts(databaseUrl, body.sessionId)).total).toBe(0);
  expect(await readBooks(databaseUrl, account.accountId)).toMatchObject({
    balance: before.balance - done.creditsUsed,
    reserved: 0,
    doubleCharges: 0,
    wrongTerminals: 0,
  });
});

test("canceling stops the reading, returns what was promised and charges nothing", async () => {
  const { api, model, account, databaseUrl } = stage;
  const before = await readBooks(databaseUrl, account.accountId);
  model.setBehaviour(countingModel(60_000));
  const asked = model.journal.length;
  const { body } = await api.upload<{ sessionId: string }>("/process", { file: longDocument(PAGES), prompt: "Count." });
  await model.waitForRequests(asked + 3, 30_000);
  expect((await readBooks(databaseUrl, account.accountId)).reserved).toBeGreaterThan(1_000);
  expect((await api.post<{ status: string }>(`/process/${body.sessionId}/cancel`, {})).body.status).toBe("canceled");
  await expect
    .poll(() => model.journal.slice(asked).map(({ outcome }) => outcome))
    .toEqual(["closed", "closed", "closed"]);
  expect(await readBooks(databaseUrl, account.accountId)).toMatchObject({ balance: before.balance, reserved: 0 });
});
