import { expect } from "vitest";
import { readBooks } from "@/e2e/support/books";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import type { TestAccount } from "@/e2e/support/test-account";
import { createTestDatabase } from "@/e2e/support/test-database";
import { useTestSettings } from "@/e2e/support/test-settings";
import { type ScannedPage, scannedPdf } from "@/lib/ai/files/samples/sample-pdf";
import { closePools, db } from "@/lib/db/pool";
import { storeUpload } from "@/lib/services/files/store-upload";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { prepareTurn } from "@/lib/services/turns/prepare-turn";
import { turnStops } from "@/lib/services/turns/turn-stops";

/** A model that the catalog does not know has a window of 32,768 tokens: room for eight pictures of pages. */
export const SMALL = "small-window";
/** Its window holds hundreds of pictures, and a request no more than twenty. */
export const LARGE = "gpt-4.1-mini";

export interface ScanStage {
  model: ModelServer;
  /** Holds that the account, which began with 1,000 credits, paid these, once. */
  expectOneCharge(account: TestAccount, credits: number): Promise<void>;
  close(): Promise<void>;
}

/** A database and the test model, for tests of pages that are shown. Sets `process.env` before anything reads it. */
export async function startScanStage(): Promise<ScanStage> {
  const [database, model] = await Promise.all([createTestDatabase(), startModelServer()]);
  useTestSettings(database.url, {
    OPENAI_BASE_URL: model.baseUrl,
    DEFAULT_MODEL: SMALL,
    MODEL_RETRY_DELAYS_SECONDS: "1,1",
    MODEL_IDLE_TIMEOUT_SECONDS: "30",
  });
  return {
    model,
    async expectOneCharge({ accountId }, credits) {
      const books = await readBooks(database.url, accountId);
      expect(books).toMatchObject({ balance: 1_000 - credits, ledger: 1_000 - credits, reserved: 0, doubleCharges: 0 });
    },
    async close() {
      await turnStops().close();
      await closePools();
      await Promise.all([database.drop(), model.stop()]);
    },
  };
}

/** Pages from 1 on, each as its number says. */
export const document = (count: number, pageOf: (page: number) => ScannedPage): Uint8Array =>
  scannedPdf(Array.from({ length: count }, (_, index) => pageOf(index + 1)));

export const textPage = (page: number): ScannedPage => ({
  text: `Fact ${page}. ${"The harbour master wrote down each ship that came in.\n".repeat(40)}`,
});
/** A leaf from the middle of a sheet, with something of both halves: drawing a whole one takes several times as long. */
const LEAF = "0 281 200 561";
export const SCAN: ScannedPage = { scan: { width: 60, height: 80 }, box: LEAF };
export const WHITE: ScannedPage = { scan: { width: 60, height: 80, isWhite: true }, box: LEAF };
/** A whole sheet. */
export const SHEET: ScannedPage = { scan: { width: 60, height: 80 } };

/** What a client sends with a document. */
export interface Sending {
  /** Of the account's project from now on. */
  model?: string;
  input?: string;
  maxCredits?: number;
}

/** A call that sends a document, ready to be quoted or prepared. */
export async function callWith(
  account: TestAccount,
  bytes: Uint8Array,
  { model: name, input, maxCredits }: Sending = {},
) {
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

/** Sends a document. */
export async function send(account: TestAccount, bytes: Uint8Array, options?: Sending) {
  const turn = await prepareTurn(account.principal, await callWith(account, bytes, options));
  return acceptTurn(account.principal, turn);
}

/** The turn as it is stored. */
export async function turnRow(turnId: string) {
  const { rows } = await db().query("SELECT * FROM turns WHERE id = $1", [turnId]);
  return rows[0];
}
