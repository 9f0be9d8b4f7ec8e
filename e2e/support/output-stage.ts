import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { createTestDatabase } from "@/e2e/support/test-database";
import { useTestSettings } from "@/e2e/support/test-settings";
import { chatTurn } from "@/e2e/support/test-turns";
import { readRow } from "@/e2e/support/turn-reads";
import { closePools, db } from "@/lib/db/pool";
import { type BooksReport, checkBooks } from "@/lib/services/credits/check-books";
import { openProjectFile } from "@/lib/services/files/open-file";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";
import { turnStops } from "@/lib/services/turns/turn-stops";

/** The words that have the test model call a tool. */
export const order = (tool: string, args: object) => `[[tool:${tool} ${JSON.stringify(args)}]]`;
export const IMAGE_ORDER = order("create_image", { prompt: "a red bicycle" });
export const SPEECH_ORDER = order("create_speech", { text: "Good morning" });
export const VIDEO_ORDER = order("create_video", { prompt: "a wave", seconds: 4 });

/** An accepted turn of an account of its own, with 1,000 credits. */
export interface StartedTurn {
  account: TestAccount;
  sessionId: string;
  turnId: string;
}

export interface OutputStage {
  model: ModelServer;
  /** The paths that the model was asked, with the names of videos left out. */
  pathsAsked(): string[];
  countOf(path: string): number;
  filesOnDisk(): Promise<number>;
  close(): Promise<void>;
}

/**
 * A database, a file store and the test model for a file's tests of what turns make. Each test begins with a model that answers as
 * it does by itself and was asked nothing yet. Sets `process.env` before anything reads it.
 */
export function useOutputStage(): OutputStage {
  const stage = {} as OutputStage;
  beforeAll(async () => {
    Object.assign(stage, await startOutputStage());
  });
  afterAll(() => stage.close());
  beforeEach(() => {
    stage.model.setBehaviour({});
    stage.model.journal.length = 0;
  });
  return stage;
}

async function startOutputStage(): Promise<OutputStage> {
  const [database, model, dataDir] = await Promise.all([
    createTestDatabase(),
    startModelServer(),
    mkdtemp(join(tmpdir(), "outputs-")),
  ]);
  useTestSettings(database.url, {
    DATA_DIR: dataDir,
    STORAGE_URL: "https://files.example.com",
    OPENAI_BASE_URL: model.baseUrl,
    MODEL_RETRY_DELAYS_SECONDS: "1,1",
    MODEL_IDLE_TIMEOUT_SECONDS: "2",
    VIDEO_POLL_SECONDS: "1",
    VIDEO_TIMEOUT_SECONDS: "60",
  });
  return {
    model,
    pathsAsked: () => model.journal.map(({ path }) => path.replace(/video_\w+/, "ID")),
    countOf: (path) => model.journal.filter((request) => request.path === path).length,
    async filesOnDisk() {
      const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).length;
    },
    async close() {
      await turnStops().close();
      await closePools();
      await Promise.all([database.drop(), model.stop(), rm(dataDir, { recursive: true, force: true })]);
    },
  };
}

/** Accepts a message. */
export async function startTurn(input: string, more: Partial<TurnInput> = {}): Promise<StartedTurn> {
  const account = await createTestAccount({ credits: 1_000 });
  return { account, ...(await acceptTurn(account.principal, chatTurn({ input, ...more }))) };
}

/** The bytes of the session's output. */
export async function readOutput({ account, sessionId }: StartedTurn): Promise<Buffer> {
  const { output_file_id } = await readRow("sessions", sessionId);
  const file = await openProjectFile(account.projectId, output_file_id);
  return buffer((await file.read()) as AsyncIterable<Uint8Array>);
}

/** What is left of a turn: orders, bytes that belong to nobody, files, and the account's books. */
export async function readRemains({ account, turnId }: StartedTurn): Promise<{ rows: object; books: BooksReport }> {
  const { rows } = await db().query(
    `SELECT (SELECT count(*) FROM turn_outputs WHERE turn_id = $1) AS orders,
            (SELECT count(*) FROM pending_uploads WHERE project_id = $2) AS pending,
            (SELECT count(*) FROM stored_files WHERE project_id = $2) AS files`,
    [turnId, account.projectId],
  );
  return { rows: rows[0], books: await checkBooks(account.accountId) };
}

/** A turn that failed or was canceled before anything was made of it. */
export const NOTHING_LEFT = {
  rows: { orders: 0, pending: 0, files: 0 },
  books: { isClean: true, balance: 1_000, reserved: 0 },
};
