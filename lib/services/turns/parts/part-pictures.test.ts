import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { partNumber } from "@/e2e/support/long-document";
import type { ModelRequest } from "@/e2e/support/model-server-journal";
import { dieAt, runTurnInParts } from "@/e2e/support/reading-engine";
import {
  document,
  LARGE,
  SCAN,
  type ScanStage,
  SMALL,
  send,
  startScanStage,
  textPage,
  turnRow,
  WHITE,
} from "@/e2e/support/scan-stage";
import { shownPages, tellingScan } from "@/e2e/support/shown-pages";
import { createTestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { creditsFor } from "@/lib/domain/credits";
import { setOwnModels } from "@/lib/domain/model-catalog";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { readPart } from "@/lib/services/turns/parts/read-part";
import { takeReading } from "@/lib/services/turns/parts/take-reading";
import { redispatchTurns } from "@/lib/services/turns/redispatch-turns";

/** Its window is as small as SMALL's, and it takes no pictures. */
const BLIND = "blind-window";

let stage: ScanStage;

beforeAll(async () => {
  stage = await startScanStage();
});

afterEach(() => setOwnModels({}));

beforeEach(() => {
  stage.model.setBehaviour({ answer: "Notes." });
  stage.model.journal.length = 0;
});

afterAll(() => stage.close());

const everyThirdScanned = (page: number) => (page % 3 === 0 ? tellingScan(page) : textPage(page));

async function extractionOf(turnId: string) {
  const { rows } = await db().query("SELECT extraction FROM stored_files WHERE turn_id = $1", [turnId]);
  return rows[0]?.extraction;
}

/** Requests for parts, by the number of the part; the latest of several. */
const partRequests = () =>
  new Map(
    stage.model.journal.flatMap((request) => (partNumber(request) ? [[partNumber(request), request] as const] : [])),
  );

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
      expect(stage.model.journal.filter(({ lastUserText }) => lastUserText.includes(`Fact ${fact}. `))).toHaveLength(1);
    }
    expect(shownPages(stage.model.journal.at(-1) as ModelRequest)).toEqual([]);
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
    await stage.expectOneCharge(account, turn.credits_used);
  });

  it("sends the same bytes on every retry, and asks what was read no second time, after a crash", async () => {
    const account = await createTestAccount();
    const { turnId } = await send(account, document(120, everyThirdScanned));
    await answerTurn(turnId, 0);
    // A worker that loses the turn while the model thinks about its first part.
    const earlier = await takeReading(turnId);
    stage.model.setBehaviour({ answer: "Notes.", firstChunkMs: 300 });
    const lost = readPart({ turnId, generation: earlier?.generation ?? 0, level: 0, position: 0 }, 0);
    await stage.model.waitForRequests(1);
    await takeReading(turnId);
    expect(await lost).toEqual({ status: "ended" });
    const [before] = stage.model.journal;
    // Then the engine dies between the parts, and the provider refuses one for a while.
    stage.model.setBehaviour((request) => ({
      answer: "Notes.",
      ...(partNumber(request) === 2 && { fault: { kind: "status", status: 429, retryAfter: "1" }, faultTimes: 1 }),
    }));
    await dieAt(turnId, "read-part-4");
    await db().query("UPDATE turns SET heartbeat_at = now() - interval '5 minutes' WHERE id = $1", [turnId]);
    expect(await redispatchTurns(60)).toBe(1);
    await runTurnInParts(turnId);

    const asked = stage.model.journal.flatMap((request) => partNumber(request) ?? []).toSorted((a, b) => a - b);
    const count = partRequests().size;
    expect(asked).toEqual([1, 1, 2, 2, ...Array.from({ length: count - 2 }, (_, index) => index + 3)]);
    for (const number of [1, 2]) {
      const [first, second] = stage.model.journal.filter((request) => partNumber(request) === number);
      expect(shownPages(first as ModelRequest).length).toBeGreaterThan(0);
      expect(second?.body).toEqual(first?.body);
    }
    expect(partNumber(before as ModelRequest)).toBe(1);
    expect(await extractionOf(turnId)).toMatchObject({ picturePages: 40 });
    const turn = await turnRow(turnId);
    expect(turn.status).toBe("completed");
    await stage.expectOneCharge(account, turn.credits_used);
  });

  it("names what cannot be drawn and asks nothing about pages on which nothing is", async () => {
    const account = await createTestAccount();
    const broken = { scan: { width: 50_000, height: 50_000 } };
    const pdf = document(40, (page) => (page === 2 ? broken : page > 8 && page <= 32 ? WHITE : tellingScan(page)));
    const { turnId } = await send(account, pdf);
    await runTurnInParts(turnId);
    expect(
      stage.model.journal
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
    expect(stage.model.journal.flatMap(shownPages)).toEqual([]);
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
    await stage.expectOneCharge(account, turn.credits_used);
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
    expect(stage.model.journal).toEqual([]);
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
    expect(stage.model.journal.flatMap(shownPages).map(({ page }) => page)).toEqual([69]);
    expect((await turnRow(turnId)).context.files).toMatchObject([{ picturePages: 1, picturePageNumbers: "69" }]);
    expect((await extractionOf(turnId)).skipped).toBeUndefined();
  });
});
