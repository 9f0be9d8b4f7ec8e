import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { median, quantile } from "@/bench/support/report";
import { setStage } from "@/bench/support/stage";
import { startChild } from "@/bench/support/start-child";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { startModelServer } from "@/e2e/support/model-server";
import { textPdf } from "@/lib/ai/files/samples/sample-pdf";
import { db } from "@/lib/db/pool";
import { MAX_BATCH_FILES } from "@/lib/domain/limits";

const PLACES = 16;
const FILE_SECONDS = 1;
const BATCHES = 8;
const CHATS = 15;
const PAGES = 20;
const DRAIN_MS = 120_000;

/**
 * A chat, from the call to its end, while files of the same account wait for all of its places, beside the same chat alone; and a
 * single file while those of a batch wait to be read (docs/decisions/0051).
 */
export const passBy: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl, { TURN_CONCURRENCY_PER_ACCOUNT: String(PLACES) });
  const load = startChild();
  run.onEnd(() => load.stop());
  const account = await stage.newAccount();
  const api = apiClient(stage.service.url, account.apiKey);
  const chat = async (jobs: number) => {
    const call = { origin: stage.service.url, apiKey: account.apiKey, message: "Hello [[answer:Here.]]" };
    const followed = await load.call("followJobs", { ...call, connections: 1, seconds: DRAIN_MS / 1_000, jobs });
    return followed.map(({ sentAt, endedAt }) => endedAt - sentAt);
  };
  await chat(CHATS);
  const alone = await chat(CHATS);

  const batches = run.option("batches", run.isShort ? 2 : BATCHES);
  const note = new File(["Some text"], "note.txt", { type: "text/plain" });
  for (let batch = 0; batch < batches; batch++) await sendBatch(run, api, note, `[[first:${FILE_SECONDS * 1_000}ms]]`);
  const waitedFor = await countOpen();
  const beside = await chat(run.isShort ? 5 : CHATS);
  const leftBehind = await countOpen();
  let open = await stage.drain(DRAIN_MS);

  const document = new File([documentOf(PAGES)], "report.pdf", { type: "application/pdf" });
  const single = () => processOne(api, document);
  await single();
  const singleAlone = await single();
  await sendBatch(run, api, document);
  const singleBeside = await single();
  const unread = await countOpen();
  open += await stage.drain(DRAIN_MS);

  run.report.figure("a chat alone, p50", median(alone), "ms");
  run.report.figure("beside files that wait, p50", median(beside), "ms");
  run.report.figure("beside files that wait, longest", quantile(beside, 1), "ms");
  run.report.figure("a place of the account is free every", (FILE_SECONDS * 1_000) / PLACES, "ms");
  run.report.figure(
    "what a chat would wait behind all of the files",
    (waitedFor / PLACES) * FILE_SECONDS * 1_000,
    "ms",
  );
  run.report.figure(`a PDF of ${PAGES} pages alone`, singleAlone, "ms");
  run.report.figure(`beside a batch of ${MAX_BATCH_FILES} that are being read`, singleBeside, "ms");
  run.report.mustHold(unread > PLACES, `the batch no longer waited when the single file ended: ${unread} were open`);
  run.report.mustHold(leftBehind > PLACES, `files no longer waited when the last chat ended: ${leftBehind} were open`);
  run.report.mustHold(open === 0, `${open} turns had not ended`);
  await stage.checkBooks(account);
  run.report.note(
    `${batches} batches of ${MAX_BATCH_FILES} files of ${FILE_SECONDS} s each, ${PLACES} places; the chat's model answers at once.`,
  );
};

function documentOf(pages: number): Uint8Array<ArrayBuffer> {
  const line = "The quarterly figures rose by seven percent, mostly in the north.\n";
  return new Uint8Array(textPdf(Array.from({ length: pages }, () => line.repeat(30))));
}

/** Sends one file; returns the milliseconds until its end was seen. */
async function processOne(api: ApiClient, file: File): Promise<number> {
  const sentAt = performance.now();
  const { body } = await api.upload<{ sessionId: string }>("/process", { prompt: "Read it. [[answer:Read.]]", file });
  await api.waitUntilDone(`/process/${body.sessionId}`, DRAIN_MS);
  return performance.now() - sentAt;
}

async function sendBatch(run: BenchmarkRun, api: ApiClient, each: File, order = ""): Promise<void> {
  const file = Array.from({ length: MAX_BATCH_FILES }, () => each);
  const prompt = `Read it. ${order} [[answer:Read.]]`;
  const { status } = await api.upload("/process/batch", { prompt, file });
  run.report.mustHold(status === 202, `POST /process/batch answered ${status}`);
}

async function countOpen(): Promise<number> {
  const { rows } = await db().query<{ n: number }>(
    "SELECT count(*)::int AS n FROM turns WHERE status IN ('queued', 'running')",
  );
  return rows[0]?.n ?? 0;
}
