import { afterAll, beforeAll, expect, it } from "vitest";
import { partNumber } from "@/e2e/support/long-document";
import { runTurnInParts } from "@/e2e/support/reading-engine";
import { document, type ScanStage, SMALL, send, startScanStage, textPage, turnRow } from "@/e2e/support/scan-stage";
import { shownPages, tellingScan } from "@/e2e/support/shown-pages";
import { createTestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { creditsFor } from "@/lib/domain/credits";
import { newId } from "@/lib/domain/ids";
import { retryTurn } from "@/lib/services/turns/retry-turn";

let stage: ScanStage;
beforeAll(async () => {
  stage = await startScanStage();
});
afterAll(() => stage.close());

const PAGES = 60;
const everyThirdScanned = (page: number) => (page % 3 === 0 ? tellingScan(page) : textPage(page));
const multiplesOfThree = (count: number) => Array.from({ length: count / 3 }, (_, index) => 3 * index + 3);

it("shows no page of a document a second time that was read before it failed, and counts each in its record", async () => {
  const account = await createTestAccount();
  stage.model.setBehaviour((request) => ({
    answer: "Notes.",
    ...(partNumber(request) === 3 && { fault: { kind: "status", status: 400 } }),
  }));
  const { sessionId, turnId } = await send(account, document(PAGES, everyThirdScanned));
  await runTurnInParts(turnId);
  expect((await turnRow(turnId)).status).toBe("failed");
  const { rows } = await db().query("SELECT position FROM turn_parts WHERE turn_id = $1", [turnId]);
  const kept = rows.map(({ position }) => position + 1);
  expect(kept.length).toBeGreaterThan(0);

  stage.model.setBehaviour({ answer: "Notes." });
  stage.model.journal.length = 0;
  const call = { sessionId, endpoint: "POST /process/:id/retry" };
  const again = await retryTurn(account.principal, call, { requestId: newId("request") }, (accepted) => accepted);
  await runTurnInParts(again.turnId);
  const turn = await turnRow(again.turnId);
  const asked = stage.model.journal.filter(partNumber);
  for (const request of asked) expect(kept).not.toContain(partNumber(request));
  expect(asked).toHaveLength(turn.context.parts.count - kept.length);
  expect(asked.flatMap(shownPages).length).toBeLessThan(PAGES / 3);
  const facts = { pages: PAGES, picturePages: PAGES / 3, picturePageNumbers: multiplesOfThree(PAGES).join(", ") };
  expect(turn.context.files).toMatchObject([facts]);
  expect(turn.output).toContain(`pages 1-${PAGES} of ${PAGES}.`);
  expect(turn.credits_used).toBe(creditsFor(SMALL, turn.tokens_in, turn.tokens_out));
  await stage.expectOneCharge(account, turn.credits_used);
});
