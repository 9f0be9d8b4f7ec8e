import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBooks } from "@/e2e/support/books";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { endlessPdf } from "@/lib/ai/files/samples/sample-pdf";
import { sampleWav } from "@/lib/ai/files/samples/sample-sound";
import { db } from "@/lib/db/pool";
import { storeUpload } from "@/lib/services/files/store-upload";
import { cancelProcess } from "@/lib/services/process/cancel-process";
import { type AcceptedTurn, acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { keepTranscripts } from "@/lib/services/turns/keep-transcripts";
import { prepareTurn } from "@/lib/services/turns/prepare-turn";
import { quoteTurn } from "@/lib/services/turns/quote-turn";
import { turnStops } from "@/lib/services/turns/turn-stops";

let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
});
const database = useServiceDatabase(() => ({
  OPENAI_BASE_URL: model.baseUrl,
  MODEL_RETRY_DELAYS_SECONDS: "1,1",
  MODEL_IDLE_TIMEOUT_SECONDS: "30",
}));

afterAll(async () => {
  await turnStops().close();
  await model.stop();
});

/** Ten minutes cost six credits. */
const recording = (speech: string) => sampleWav({ seconds: 600, speech });

async function callWith(account: TestAccount, bytes: Uint8Array, input: string, maxCredits?: number) {
  async function* stream() {
    yield bytes;
  }
  const file = await storeUpload(account, { name: "call.wav", contentType: "", stream: stream() });
  const files = [file];
  return {
    endpoint: "POST /process",
    requestId: "req_test",
    input,
    inputNames: ["prompt"] as const,
    files,
    maxCredits,
  };
}

async function send(
  account: TestAccount,
  bytes: Uint8Array,
  input: string,
  maxCredits?: number,
): Promise<AcceptedTurn> {
  const call = await callWith(account, bytes, input, maxCredits);
  return acceptTurn(account.principal, await prepareTurn(account.principal, call));
}

const say = (account: TestAccount, sessionId: string, input: string): Promise<AcceptedTurn> =>
  acceptTurn(account.principal, chatTurn({ input, sessionId, creditsToReserve: 10 }));

interface TurnRow {
  status: string;
  error_code: string | null;
  credits_used: number;
  context: { transcription?: object } | null;
}

async function turnRow(turnId: string): Promise<TurnRow | undefined> {
  const { rows } = await db().query<TurnRow>(
    "SELECT status, error_code, credits_used, context FROM turns WHERE id = $1",
    [turnId],
  );
  return rows[0];
}

const transcriptionsOf = (speech: string) =>
  model.journal.filter(({ path, lastUserText }) => path.endsWith("/transcriptions") && lastUserText.includes(speech));

async function expectBalanced(account: TestAccount) {
  const books = await readBooks(database.url, account.accountId);
  expect(books).toMatchObject({ reserved: 0, doubleCharges: 0 });
  expect(books.ledger).toBe(books.balance);
}

/** Beyond all retries. */
const LAST_ATTEMPT = 20;
const PAID = { seconds: 600, credits: 6 };

describe("a transcript", () => {
  it("is made and paid for once, by the turn that had it made", async () => {
    const account = await createTestAccount();
    const first = await send(account, recording("Once and for all"), "Sum up [[answer:Short]]");
    await answerTurn(first.turnId, 0);
    expect(await turnRow(first.turnId)).toMatchObject({
      status: "completed",
      credits_used: 7,
      context: { transcription: PAID },
    });
    const next = await say(account, first.sessionId, "And now? [[answer:Short]]");
    await answerTurn(next.turnId, 0);
    const row = await turnRow(next.turnId);
    expect(row).toMatchObject({ status: "completed", credits_used: 1 });
    expect(row?.context).not.toHaveProperty("transcription");
    expect(
      model.journal
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join(),
    ).toContain("Once and for all");
    expect(transcriptionsOf("Once and for all")).toHaveLength(1);
    await expectBalanced(account);
  });

  it("is not made again when the turn is tried again, and is paid for all the same", async () => {
    const account = await createTestAccount();
    const { turnId } = await send(account, recording("Second attempt"), "Sum up [[fail:500:1]]");
    expect(await answerTurn(turnId, 0)).toMatchObject({ status: "retry" });
    await answerTurn(turnId, 1);
    expect(await turnRow(turnId)).toMatchObject({
      status: "completed",
      credits_used: 7,
      context: { transcription: PAID },
    });
    expect(transcriptionsOf("Second attempt")).toHaveLength(1);
    await expectBalanced(account);
  });

  it("of a long recording goes on with what was kept of it, and is paid for once", async () => {
    const account = await createTestAccount();
    const hour = sampleWav({ seconds: 3_600, speech: "Piece one", later: { 2000: "Piece two" } });
    const { turnId } = await send(account, hour, "Sum up [[answer:Short]]");
    // As a worker leaves it that is killed after its first piece.
    const kept = { model: "whisper-1", text: "Kept of piece one", until: 1_195, seconds: 1_195 };
    await db().query("UPDATE stored_files SET transcript_draft = $2 WHERE turn_id = $1", [
      turnId,
      JSON.stringify(kept),
    ]);
    await answerTurn(turnId, 0);
    expect(await turnRow(turnId)).toMatchObject({
      status: "completed",
      credits_used: 37,
      context: { transcription: { seconds: 3_600, credits: 36 } },
    });
    const { rows } = await db().query("SELECT transcript, transcript_draft FROM stored_files WHERE turn_id = $1", [
      turnId,
    ]);
    expect(rows).toEqual([{ transcript: "Kept of piece one\nPiece two", transcript_draft: null }]);
    expect(transcriptionsOf("Piece one")).toHaveLength(0);
    expect(transcriptionsOf("Piece two")).toHaveLength(1);
    await expectBalanced(account);
  });

  it("of a long recording is kept piece by piece", async () => {
    const account = await createTestAccount();
    const hour = sampleWav({ seconds: 3_600, speech: "The first", later: { 2000: "The second [[fail:400]]" } });
    const { turnId } = await send(account, hour, "Sum up");
    await answerTurn(turnId, 0);
    expect(await turnRow(turnId)).toMatchObject({ status: "failed", credits_used: 0 });
    const { rows } = await db().query("SELECT transcript, transcript_draft FROM stored_files WHERE turn_id = $1", [
      turnId,
    ]);
    expect(rows).toMatchObject([{ transcript: null, transcript_draft: { model: "whisper-1", text: "The first" } }]);
    await expectBalanced(account);
  });

  it("of a long recording is never put back by a process that stood still while another went on", async () => {
    const account = await createTestAccount();
    const { turnId } = await send(account, recording("Heard"), "Sum up");
    const { rows } = await db().query<{ id: string }>("SELECT id FROM stored_files WHERE turn_id = $1", [turnId]);
    const payer = { turnId, limit: { credits: 100, maxCredits: null } };
    const transcripts = keepTranscripts(account.projectId, rows[0]?.id ?? "", payer);
    const [first, second] = [
      { text: "One", until: 1_200, seconds: 1_200 },
      { text: "One\nTwo", until: 2_400, seconds: 2_400 },
    ];
    for (const draft of [first, second, first]) await transcripts.keepDraft("whisper-1", draft);
    expect(await transcripts.findDraft("whisper-1")).toMatchObject(second);
    await transcripts.keepDraft("another", first);
    expect(await transcripts.findDraft("another")).toMatchObject(first);
    await transcripts.keep("whisper-1", { text: "One\nTwo\nThree", seconds: 3_600 });
    await transcripts.keepDraft("whisper-1", second);
    expect(await transcripts.findDraft("whisper-1")).toBeNull();
  });

  it("of a file that the project keeps no longer is not kept either: it was on its way when the file was removed", async () => {
    const account = await createTestAccount();
    const { turnId } = await send(account, recording("Secret"), "Sum up");
    const { rows } = await db().query<{ id: string }>(
      "UPDATE stored_files SET deleted_at = now() WHERE turn_id = $1 RETURNING id",
      [turnId],
    );
    const limit = { credits: 100, maxCredits: null };
    const transcripts = keepTranscripts(account.projectId, rows[0]?.id ?? "", { turnId, limit });
    await transcripts.keepDraft("whisper-1", { text: "Secret", until: 60, seconds: 60 });
    await transcripts.keep("whisper-1", { text: "Secret", seconds: 600 });
    const { rows: kept } = await db().query(
      "SELECT transcript, transcript_draft FROM stored_files WHERE turn_id = $1",
      [turnId],
    );
    expect(kept).toEqual([{ transcript: null, transcript_draft: null }]);
  });

  it("is another's where another model made it", async () => {
    const account = await createTestAccount();
    const { turnId } = await send(account, recording("Heard"), "Sum up");
    const { rows } = await db().query<{ id: string }>("SELECT id FROM stored_files WHERE turn_id = $1", [turnId]);
    const payer = { turnId, limit: { credits: 100, maxCredits: null } };
    const transcripts = keepTranscripts(account.projectId, rows[0]?.id ?? "", payer);
    await transcripts.keepDraft("whisper-1", { text: "He", until: 60, seconds: 60 });
    expect(await transcripts.findDraft("gpt-4o-transcribe")).toBeNull();
    await transcripts.keep("whisper-1", { text: "Heard", seconds: 600 });
    expect(await transcripts.find("gpt-4o-transcribe")).toBeNull();
    expect(await transcripts.find("whisper-1")).toEqual({ text: "Heard", seconds: 600 });
    const stranger = await createTestAccount();
    expect(await keepTranscripts(stranger.projectId, rows[0]?.id ?? "", payer).find("whisper-1")).toBeNull();
  });

  it("of a turn that fails costs nothing then, and is paid for by the next turn that reads it", async () => {
    const account = await createTestAccount();
    const { turnId, sessionId } = await send(account, recording("Paid later"), "Sum up [[fail:400]]");
    await answerTurn(turnId, 0);
    expect(await turnRow(turnId)).toMatchObject({ status: "failed", credits_used: 0 });
    const next = await say(account, sessionId, "Again [[answer:Short]]");
    await answerTurn(next.turnId, 0);
    expect(await turnRow(next.turnId)).toMatchObject({ credits_used: 7, context: { transcription: PAID } });
    expect(transcriptionsOf("Paid later")).toHaveLength(1);
    await expectBalanced(account);
  });

  it("of a turn that is canceled costs nothing then, and is paid for once by those that read it later", async () => {
    const account = await createTestAccount();
    const { turnId, sessionId } = await send(account, recording("Paid by another"), "Sum up [[hang]]");
    const answering = answerTurn(turnId, 0);
    await expect.poll(() => model.journal.at(-1)?.lastUserText).toContain("Sum up [[hang]]");
    await cancelProcess(account.principal, sessionId);
    await answering;
    expect(await turnRow(turnId)).toMatchObject({ status: "canceled", credits_used: 0 });
    for (const credits of [7, 1]) {
      const next = await say(account, sessionId, "Again [[answer:Short]]");
      await answerTurn(next.turnId, 0);
      expect(await turnRow(next.turnId)).toMatchObject({ status: "completed", credits_used: credits });
    }
    expect(transcriptionsOf("Paid by another")).toHaveLength(1);
    await expectBalanced(account);
  });

  it("that the provider did not make for an earlier turn is asked for again, rather than answered without", async () => {
    const account = await createTestAccount();
    const { turnId, sessionId } = await send(account, recording("Later on [[fail:503:2]]"), "Sum up");
    await answerTurn(turnId, LAST_ATTEMPT);
    expect(await turnRow(turnId)).toMatchObject({ status: "failed", error_code: "MODEL_UNAVAILABLE" });
    const next = await say(account, sessionId, "Again [[answer:Short]]");
    expect(await answerTurn(next.turnId, 0)).toMatchObject({ status: "retry" });
    await answerTurn(next.turnId, 1);
    expect(await turnRow(next.turnId)).toMatchObject({ status: "completed", credits_used: 7 });
    expect(JSON.stringify(model.journal.at(-1)?.messages)).toContain("Later on");
    await expectBalanced(account);
  });

  it("that the provider refuses for good is left out of later turns once their tries are used up, and the model is told", async () => {
    const account = await createTestAccount();
    const { turnId, sessionId } = await send(account, recording("Never [[fail:500]]"), "Sum up");
    await answerTurn(turnId, LAST_ATTEMPT);
    expect(await turnRow(turnId)).toMatchObject({ status: "failed", error_code: "MODEL_UNAVAILABLE" });
    for (const input of ["And now? [[answer:Short]]", "Still there? [[answer:Short]]"]) {
      const next = await say(account, sessionId, input);
      for (const attempt of [0, 1]) expect(await answerTurn(next.turnId, attempt)).toMatchObject({ status: "retry" });
      expect(await answerTurn(next.turnId, 2)).toEqual({ status: "ended" });
      expect(await turnRow(next.turnId)).toMatchObject({ status: "completed", credits_used: 1 });
      const sent = JSON.stringify(model.journal.at(-1)?.messages);
      expect(sent).toContain('name=\\"call.wav\\" kind=\\"unreadable\\" note=\\"the file could not be read');
      expect(sent).toContain("Sum up");
    }
    await expectBalanced(account);
  });

  it("is kept though a NUL stands in it", async () => {
    const account = await createTestAccount();
    model.setBehaviour({ answer: "One\0 two" });
    const { turnId } = await send(account, recording("Counting"), "Sum up");
    const outcome = await answerTurn(turnId, 0).finally(() => model.setBehaviour({}));
    expect(outcome).toEqual({ status: "ended" });
    expect(await turnRow(turnId)).toMatchObject({ status: "completed", credits_used: 7 });
    expect(JSON.stringify(model.journal.at(-1)?.messages)).toContain("One two");
  });

  it("that costs more than the call allows is not made", async () => {
    const account = await createTestAccount();
    const { turnId } = await send(account, recording("Above the limit"), "Sum up", 5);
    await answerTurn(turnId, 0);
    expect(await turnRow(turnId)).toMatchObject({
      status: "failed",
      error_code: "MAX_CREDITS_REACHED",
      credits_used: 0,
    });
    expect(transcriptionsOf("Above the limit")).toEqual([]);
    await expectBalanced(account);
  });

  it("that costs more than the account has is not made", async () => {
    const account = await createTestAccount({ credits: 3 });
    const call = await callWith(account, recording("Too poor"), "Sum up");
    const turn = await prepareTurn(account.principal, call);
    const { turnId } = await acceptTurn(account.principal, { ...turn, creditsToReserve: 1 });
    await answerTurn(turnId, 0);
    expect(await turnRow(turnId)).toMatchObject({ status: "failed", error_code: "INSUFFICIENT_CREDITS" });
    expect(transcriptionsOf("Too poor")).toEqual([]);
    await expectBalanced(account);
  });

  it("is in the reservation and in the quote, which makes none", async () => {
    const account = await createTestAccount();
    const call = await callWith(account, recording("Only asked"), "Sum up");
    const tenMinutes = call.files.map((file) => ({ ...file, contentType: "audio/mpeg", size: 600 * 16_000 }));
    const { creditsToReserve } = await prepareTurn(account.principal, { ...call, files: tenMinutes });
    expect(creditsToReserve).toBeGreaterThanOrEqual(8);
    const { creditsEstimate, tokensInEstimate } = await quoteTurn(account.principal, call);
    expect(creditsEstimate.min).toBe(7);
    expect(tokensInEstimate).toBeGreaterThan(2_000);
    expect(transcriptionsOf("Only asked")).toEqual([]);
  });
});

describe("a canceled turn", () => {
  it("stops the transcription that runs for it", async () => {
    const account = await createTestAccount();
    const { turnId, sessionId } = await send(account, recording("Stopped [[hang]]"), "Sum up");
    const answering = answerTurn(turnId, 0);
    await expect.poll(() => transcriptionsOf("Stopped")).toHaveLength(1);
    await cancelProcess(account.principal, sessionId);
    expect(await answering).toEqual({ status: "ended" });
    await expect.poll(() => transcriptionsOf("Stopped")[0]?.outcome).toBe("closed");
    expect(await turnRow(turnId)).toMatchObject({ status: "canceled", credits_used: 0 });
    await expectBalanced(account);
  });

  it("stops the reading of a document that would go on beyond this test", async () => {
    const account = await createTestAccount();
    const { turnId, sessionId } = await send(account, endlessPdf(), "Sum up");
    const answering = answerTurn(turnId, 0);
    await expect.poll(async () => (await turnRow(turnId))?.status).toBe("running");
    await cancelProcess(account.principal, sessionId);
    expect(await answering).toEqual({ status: "ended" });
    expect(await turnRow(turnId)).toMatchObject({ status: "canceled" });
  });
});
