import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readBooks } from "@/e2e/support/books";
import { partNumber } from "@/e2e/support/long-document";
import { type ModelRequest, type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { dieAt, runTurnInParts } from "@/e2e/support/reading-engine";
import { shownPages, tellingScan } from "@/e2e/support/shown-pages";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { useTestSettings } from "@/e2e/support/test-settings";
import { type ScannedPage, scannedPdf } from "@/lib/ai/files/sample-pdf";
import { type ScanFormat, type SheetLook, scanImage } from "@/lib/ai/files/sample-scan-image";
import { closePools, db } from "@/lib/db/pool";
import { creditsFor } from "@/lib/domain/credits";
import { setOwnModels } from "@/lib/domain/model-catalog";
import { storeUpload } from "@/lib/services/files/store-upload";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { readPart } from "@/lib/services/turns/parts/read-part";
import { takeReading } from "@/lib/services/turns/parts/take-reading";
import { prepareTurn } from "@/lib/services/turns/prepare-turn";
import { quoteTurn } from "@/lib/services/turns/quote-turn";
import { redispatchTurns } from "@/lib/services/turns/redispatch-turns";
import { turnStops } from "@/lib/services/turns/turn-stops";

/** A model that the catalog does not know has a window of 32,768 tokens: room for eight pictures of pages. */
const SMALL = "small-window";
/** Its window holds hundreds of pictures, and a request no more than twenty. */
const LARGE = "gpt-4.1-mini";
/** As small, and takes no pictures. */
const BLIND = "blind-window";

let database: TestDatabase;
let model: ModelServer;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), startModelServer()]);
  useTestSettings(database.url, {
    OPENAI_BASE_URL: model.baseUrl,
    DEFAULT_MODEL: SMALL,
    MODEL_RETRY_DELAYS_SECONDS: "1,1",
    MODEL_IDLE_TIMEOUT_SECONDS: "30",
  });
});

afterEach(() => setOwnModels({}));

beforeEach(() => {
  model.setBehaviour({ answer: "Notes." });
  model.journal.length = 0;
});

afterAll(async () => {
  await turnStops().close();
  await closePools();
  await Promise.all([database.drop(), model.stop()]);
});

const textPage = (page: number): ScannedPage => ({
  text: `Fact ${page}. ${"The harbour master wrote down each ship that came in.\n".repeat(40)}`,
});
const SCAN: ScannedPage = { scan: { width: 60, height: 80 } };
const WHITE: ScannedPage = { scan: { width: 60, height: 80, isWhite: true } };

/** Pages from 1 on, each as its number says. */
const document = (count: number, pageOf: (page: number) => ScannedPage): Uint8Array =>
  scannedPdf(Array.from({ length: count }, (_, index) => pageOf(index + 1)));
/** A sheet as a scanner makes it, on small paper, so that drawing it is quick. */
const sheet = (look: SheetLook, page: number, format: ScanFormat = "jpeg"): ScannedPage => ({
  box: "0 200 120 640",
  scan: { image: scanImage(format, look, { seed: page % 10 }) },
});
const FEW = new Set([3, 77, 78, 101, 118]);
const everyThirdScanned = (page: number) => (page % 3 === 0 ? tellingScan(page) : textPage(page));

interface Sending {
  model?: string;
  input?: string;
  maxCredits?: number;
}

async function callWith(account: TestAccount, bytes: Uint8Array, { model: name, input, maxCredits }: Sending = {}) {
  if (name) {
    await db().query("UPDATE projects SET model = $2 WHERE id = $1", [account.projectId, name]);
    account.principal.model = name;
  }
  async function* stream() {
    yield bytes;
  }
  const file = await storeUpload(account, { name: "scan.pdf", contentType: "application/pdf", stream: stream() });
  const call = { endpoint: "POST /process", requestId: "req_test", input: input ?? "List the facts.", files: [file] };
  return { ...call, inputNames: ["prompt"] as const, maxCredits };
}

async function send(account: TestAccount, bytes: Uint8Array, options?: Sending) {
  const turn = await prepareTurn(account.principal, await callWith(account, bytes, options));
  return acceptTurn(account.principal, turn);
}

async function turnRow(turnId: string) {
  const { rows } = await db().query("SELECT * FROM turns WHERE id = $1", [turnId]);
  return rows[0];
}

async function extractionOf(turnId: string) {
  const { rows } = await db().query("SELECT extraction FROM stored_files WHERE turn_id = $1", [turnId]);
  return rows[0]?.extraction;
}

async function expectOneCharge(account: TestAccount, credits: number) {
  const books = await readBooks(database.url, account.accountId);
  expect(books).toMatchObject({ balance: 1_000 - credits, ledger: 1_000 - credits, reserved: 0, doubleCharges: 0 });
}

/** Requests for parts, by the number of the part; the latest of several. */
const partRequests = () =>
  new Map(model.journal.flatMap((request) => (partNumber(request) ? [[partNumber(request), request] as const] : [])));

/** "pages 4-9 of 60" as the part's own words say it. */
function rangeOf({ lastUserText }: ModelRequest): { first: number; last: number } {
  const [, first, last = first] = /note="part \d+ of \d+: pages? (\d+)(?:-(\d+))? of/.exec(lastUserText) ?? [];
  return { first: Number(first), last: Number(last) };
}

const multiplesOfThree = (count: number) => Array.from({ length: Math.floor(count / 3) }, (_, index) => 3 * index + 3);

describe("a PDF of text and scans that is read in parts", () => {
  it("shows each page without text with the part that it lies in, once, in order and named", async () => {
    const account = await createTestAccount();
    const { turnId } = await send(account, document(60, everyThirdScanned));
    await runTurnInParts(turnId);
    const parts = [...partRequests().values()];
    expect(parts.length).toBeGreaterThanOrEqual(3);
    for (const request of parts) {
      const { first, last } = rangeOf(request);
      const pages = shownPages(request).map(({ page }) => page);
      expect(pages).toEqual(multiplesOfThree(60).filter((page) => page >= first && page <= last));
      expect(shownPages(request).map(({ named }) => named)).toEqual(pages);
      expect(pages.length).toBeLessThanOrEqual(8);
      for (const page of pages) expect(request.lastUserText).toContain(`[Page ${page}, without text]`);
      expect(request.messages.at(-1)?.content?.at(-1)).toMatchObject({ text: expect.stringContaining("The task:") });
    }
    expect(parts.flatMap((request) => shownPages(request)).length).toBe(20);
    for (const fact of [1, 29, 59]) {
      expect(model.journal.filter(({ lastUserText }) => lastUserText.includes(`Fact ${fact}. `))).toHaveLength(1);
    }
    expect(shownPages(model.journal.at(-1) as ModelRequest)).toEqual([]);
  });

  it("says in the record, the receipt and the answer which pages it showed, and costs what the provider counts", async () => {
    const account = await createTestAccount();
    const { turnId } = await send(account, document(60, everyThirdScanned));
    await runTurnInParts(turnId);
    const turn = await turnRow(turnId);
    const facts = { pages: 60, picturePages: 20, picturePageNumbers: multiplesOfThree(60).join(", ") };
    expect(await extractionOf(turnId)).toMatchObject(facts);
    expect(await extractionOf(turnId)).not.toHaveProperty("skipped");
    expect(turn.context.files).toMatchObject([facts]);
    expect(turn.output).toMatch(/\n\nRead in \d+ parts: pages 1-60 of 60\.$/);
    expect(turn.credits_used).toBe(creditsFor(SMALL, turn.tokens_in, turn.tokens_out));
    await expectOneCharge(account, turn.credits_used);
  });

  it("sends the same bytes on every retry, and asks what was read no second time, after a crash", async () => {
    const account = await createTestAccount();
    const { turnId } = await send(account, document(120, everyThirdScanned));
    await answerTurn(turnId, 0);
    // A worker that loses the turn while the model thinks about its first part.
    const earlier = await takeReading(turnId);
    model.setBehaviour({ answer: "Notes.", firstChunkMs: 300 });
    const lost = readPart({ turnId, generation: earlier?.generation ?? 0, level: 0, position: 0 }, 0);
    await model.waitForRequests(1);
    await takeReading(turnId);
    expect(await lost).toEqual({ status: "ended" });
    const [before] = model.journal;
    // Then the engine dies between the parts, and the provider refuses one for a while.
    model.setBehaviour((request) => ({
      answer: "Notes.",
      ...(partNumber(request) === 2 && { fault: { kind: "status", status: 429, retryAfter: "1" }, faultTimes: 1 }),
    }));
    await dieAt(turnId, "read-part-4");
    await db().query("UPDATE turns SET heartbeat_at = now() - interval '5 minutes' WHERE id = $1", [turnId]);
    expect(await redispatchTurns(60)).toBe(1);
    await runTurnInParts(turnId);

    const asked = model.journal.flatMap((request) => partNumber(request) ?? []).toSorted((a, b) => a - b);
    const count = partRequests().size;
    expect(asked).toEqual([1, 1, 2, 2, ...Array.from({ length: count - 2 }, (_, index) => index + 3)]);
    for (const number of [1, 2]) {
      const [first, second] = model.journal.filter((request) => partNumber(request) === number);
      expect(shownPages(first as ModelRequest).length).toBeGreaterThan(0);
      expect(second?.body).toEqual(first?.body);
    }
    expect(partNumber(before as ModelRequest)).toBe(1);
    expect(await extractionOf(turnId)).toMatchObject({ picturePages: 40 });
    const turn = await turnRow(turnId);
    expect(turn.status).toBe("completed");
    await expectOneCharge(account, turn.credits_used);
  });

  it("names what cannot be drawn and asks nothing about pages on which nothing is", async () => {
    const account = await createTestAccount();
    const broken = { scan: { width: 50_000, height: 50_000 } };
    const pdf = document(40, (page) => (page === 2 ? broken : page > 8 && page <= 32 ? WHITE : tellingScan(page)));
    const { turnId } = await send(account, pdf);
    await runTurnInParts(turnId);
    expect(
      model.journal
        .flatMap(shownPages)
        .map(({ page }) => page)
        .toSorted((a, b) => a - b),
    ).toEqual([1, 3, 4, 5, 6, 7, 8, 33, 34, 35, 36, 37, 38, 39, 40]);
    const requests = [...partRequests().values()];
    for (const request of requests) expect(shownPages(request).length).toBeGreaterThan(0);
    expect(requests.find((request) => rangeOf(request).first === 1)?.lastUserText).toMatch(/pages without text \(1\)/);
    const turn = await turnRow(turnId);
    expect(turn.context.parts.count).toBeGreaterThan(requests.length);
    expect(turn.context.files).toMatchObject([
      { picturePages: 15, skipped: { pages: 1, pageNumbers: "2", pagesReason: "unreadable" } },
    ]);
    expect(turn.output).toMatch(/ Without text and not read: pages 2\.$/);
  });

  it("goes without pictures to a model that takes none, and says so", async () => {
    setOwnModels({ [BLIND]: { isVisual: false } });
    const account = await createTestAccount();
    const { turnId } = await send(account, document(180, everyThirdScanned), { model: BLIND });
    await runTurnInParts(turnId);
    expect(model.journal.flatMap(shownPages)).toEqual([]);
    for (const { lastUserText } of partRequests().values()) expect(lastUserText).toContain("pages without text (60)");
    const turn = await turnRow(turnId);
    expect(turn.context.files).toMatchObject([{ skipped: { pages: 60, pagesReason: "model" } }]);
    expect(turn.output).toContain("Without text and not read: pages 3, 6, 9");
  });
});

describe("a long scan without any text", () => {
  it("is read to its end in parts of as many pages as one request shows", async () => {
    const account = await createTestAccount();
    const { turnId } = await send(account, document(120, tellingScan), { model: LARGE });
    await runTurnInParts(turnId);
    const parts = [...partRequests()].toSorted(([a], [b]) => Number(a) - Number(b));
    expect(parts.map(([, request]) => shownPages(request).map(({ page }) => page))).toEqual(
      Array.from({ length: 6 }, (_, part) => Array.from({ length: 20 }, (_, index) => 20 * part + index + 1)),
    );
    const turn = await turnRow(turnId);
    expect(turn.context.files).toMatchObject([{ pages: 120, picturePages: 120, picturePageNumbers: "1-120" }]);
    expect(turn.output).toMatch(/\n\nRead in 6 parts: pages 1-120 of 120\.$/);
    expect(turn.credits_used).toBe(creditsFor(LARGE, turn.tokens_in, turn.tokens_out));
    await expectOneCharge(account, turn.credits_used);
  });

  it("is reserved and quoted near the truth, and refused before anything is asked where it costs too much", async () => {
    const account = await createTestAccount();
    const pdf = document(30, () => SCAN);
    const call = await callWith(account, pdf, { model: LARGE });
    const quote = await quoteTurn(account.principal, call);
    expect(quote.warnings).toEqual([expect.stringMatching(/in about 2 parts/)]);
    const { turnId } = await send(account, pdf);
    await answerTurn(turnId, 0);
    const { credits_reserved: reserved } = await turnRow(turnId);
    await runTurnInParts(turnId);
    const turn = await turnRow(turnId);
    expect(turn.context.parts).toMatchObject({ count: 2 });
    for (const [estimate, real] of [
      [quote.tokensInEstimate, turn.tokens_in],
      [quote.creditsEstimate.max, turn.credits_used],
      [reserved, turn.credits_used],
    ]) {
      expect(estimate, `${estimate} against ${real}`).toBeGreaterThanOrEqual(real);
      expect(estimate, `${estimate} against ${real}`).toBeLessThanOrEqual(real * 2);
    }
    expect(quote.creditsEstimate.min).toBeLessThanOrEqual(turn.credits_used * 1.1);

    const refused = await send(account, pdf, { maxCredits: 5 });
    const asked = model.journal.length;
    expect(await answerTurn(refused.turnId, 0)).toEqual({ status: "ended" });
    expect(await turnRow(refused.turnId)).toMatchObject({ status: "failed", error_code: "MAX_CREDITS_REACHED" });
    expect(model.journal).toHaveLength(asked);
  });

  it.each([
    ["one call, small pages", () => document(12, tellingScan)],
    ["one call, empty pages among scans", () => document(60, (page) => (page % 6 === 0 ? SCAN : {}))],
    ["one call, white scans among scans", () => document(16, (page) => (page % 2 === 0 ? SCAN : WHITE))],
    ["parts, empty pages among scans", () => document(100, (page) => (page % 4 === 0 ? SCAN : {}))],
    ["parts, small pages", () => document(45, tellingScan)],
    ["parts, white scans among scans", () => document(60, (page) => (page % 2 === 0 ? SCAN : WHITE))],
    ["one call, few written sheets", () => document(120, (page) => sheet(FEW.has(page) ? "written" : "white", page))],
    [
      "one call, ten written sheets, then white",
      () => document(120, (page) => sheet(page <= 10 ? "written" : "white", page)),
    ],
    [
      "parts, few white sheets",
      () => document(120, (page) => sheet(FEW.has(page) ? "white" : "written", page, "flate")),
    ],
    [
      "parts, written sheets in one place",
      () => document(120, (page) => sheet(page > 50 && page < 80 ? "written" : "white", page)),
    ],
    [
      "parts, noisy paper",
      () => document(120, (page) => sheet(page % 3 > 0 ? "noisy" : page % 2 > 0 ? "white" : "written", page)),
    ],
    ["parts, text and empty pages", () => document(200, (page) => (page % 2 === 0 ? textPage(page) : {})), SMALL],
  ])("is quoted within a factor of two of what it costs: %s", async (name, make, modelName = LARGE) => {
    const account = await createTestAccount();
    const pdf = make();
    const quote = await quoteTurn(account.principal, await callWith(account, pdf, { model: modelName }));
    const { turnId } = await send(account, pdf, { model: modelName });
    await (name.startsWith("parts") ? runTurnInParts(turnId) : answerTurn(turnId, 0));
    const turn = await turnRow(turnId);
    expect(turn.status).toBe("completed");
    const { min, max } = quote.creditsEstimate;
    const said = `${JSON.stringify(quote)} against ${turn.tokens_in} tokens and ${turn.credits_used} credits`;
    expect(quote.tokensInEstimate / turn.tokens_in, said).toBeGreaterThan(0.5);
    expect(quote.tokensInEstimate / turn.tokens_in, said).toBeLessThan(2);
    // How long the answers are is not known before: the range is.
    expect(min, said).toBeLessThanOrEqual(turn.credits_used);
    expect(max, said).toBeGreaterThanOrEqual(turn.credits_used);
    expect(max, said).toBeLessThanOrEqual(turn.credits_used * 2);
    await expectOneCharge(account, turn.credits_used);
  });

  it("is quoted without its pages beyond the bound, and says how many these are", async () => {
    const account = await createTestAccount({ credits: 10_000 });
    const call = await callWith(
      account,
      document(1_003, () => SCAN),
      { model: LARGE },
    );
    const { warnings, creditsEstimate } = await quoteTurn(account.principal, call);
    expect(warnings).toEqual([
      expect.stringMatching(/than can be shown: 3 would be left out/),
      expect.stringMatching(/in about 50 parts/),
    ]);
    expect(creditsEstimate.max).toBeGreaterThan(1_000);
    expect(model.journal).toEqual([]);
  });

  it("for which instructions leave no room is refused, and not answered from nothing", async () => {
    const account = await createTestAccount();
    const { turnId } = await send(
      account,
      document(3, () => SCAN),
      { input: "word ".repeat(19_800) },
    );
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(await turnRow(turnId)).toMatchObject({ status: "failed", error_code: "UNSUPPORTED_FILE" });
    expect(model.journal).toEqual([]);
  });
});

describe("a PDF that fits one call", () => {
  it("is answered in one, however many of its pages are empty", async () => {
    const account = await createTestAccount();
    const pdf = document(70, (page) =>
      page % 2 === 0 ? {} : page === 69 ? tellingScan(page) : { text: `Fact ${page}.` },
    );
    const { turnId } = await send(account, pdf, { model: LARGE });
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(model.journal.flatMap(shownPages).map(({ page }) => page)).toEqual([69]);
    expect((await turnRow(turnId)).context.files).toMatchObject([{ picturePages: 1, picturePageNumbers: "69" }]);
    expect((await extractionOf(turnId)).skipped).toBeUndefined();
  });
});
