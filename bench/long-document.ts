import { setTimeout as delay } from "node:timers/promises";
import type { Benchmark } from "@/bench/support/benchmark";
import { findViolations } from "@/bench/support/books-rules";
import { readBooks } from "@/e2e/support/books";
import { type FaultStage, setFaultStage } from "@/e2e/support/fault-stage";
import {
  countAsked,
  countingModel,
  LONG_DOCUMENT_MODEL,
  longDocument,
  readKeptParts,
} from "@/e2e/support/long-document";
import { buildIfChanged } from "@/scripts/support/build-app";

const PAGES = 2_000;
const SHORT_PAGES = 800;
const CREDITS = 100_000;
const PART_MS = 1_000;
const POLL_MS = 20;
const PATIENCE_MS = 90_000;

interface Process {
  status: string;
  output: string;
  tokensIn: number;
  creditsUsed: number;
}

/**
 * A document far beyond the model's window, and kill -9 of the server in the middle of it: told line by line, then what
 * was asked of the model and what was charged.
 */
export const longDocumentBenchmark: Benchmark = async (run) => {
  await buildIfChanged();
  const stage = await setFaultStage({ DEFAULT_MODEL: LONG_DOCUMENT_MODEL }, CREDITS);
  run.onEnd(() => stage.close());
  stage.model.setBehaviour(countingModel(PART_MS));
  const { report } = run;
  const told = await tellOneReading(stage, run.isShort ? SHORT_PAGES : PAGES);
  const asked = countAsked(stage.model.journal);
  const requests = [...asked.values()].reduce((sum, count) => sum + count, 0);
  const again = told.kept.filter((number) => asked.get(number) !== 1).length;
  const books = await readBooks(stage.databaseUrl, stage.account.accountId);
  report.figure("pages", told.pages, "");
  report.figure("parts", told.total, "");
  report.figure("parts kept when the server was killed", told.kept.length, "");
  report.figure("of these asked again", again, "", { atMost: 0 });
  report.figure("parts asked again: under way at the kill", requests - told.total, "", { atMost: 3 });
  report.figure("asks of one part, most", Math.max(...asked.values()), "", { atMost: 2 });
  report.figure("tokens read", told.done.tokensIn, "");
  report.figure("credits charged", told.done.creditsUsed, "");
  report.figure("ledger beside the balance", Math.abs(books.ledger - books.balance), "credits", { atMost: 0 });
  report.figure("from the restart until the answer", told.recoverySeconds, "s");
  report.mustHold(told.done.status === "completed", `the processing ended as ${told.done.status}`);
  report.mustHold(told.done.output.startsWith(`Found ${told.pages} facts`), "not every page was read exactly once");
  report.mustHold(again === 0, `${again} parts were paid for twice`);
  report.mustHold(requests - told.total <= 3, `${requests - told.total} parts were asked again`);
  report.mustHold(books.balance === CREDITS - told.done.creditsUsed, "the charge is not the balance's difference");
  for (const violation of findViolations(books)) report.mustHold(false, violation);
};

async function tellOneReading(stage: FaultStage, pages: number) {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const tell = (line: string) => console.log(`  ${seconds().toFixed(3).padStart(7)} s  ${line}`);
  const { api, service, databaseUrl, account } = stage;
  console.log("\nA document that is longer than the model's window:");
  const file = longDocument(pages);
  const { status, body } = await api.upload<{ sessionId: string }>("/process", {
    file,
    prompt: "How many facts are there?",
  });
  const { sessionId } = body;
  tell(`POST /process of ${pages} pages, ${file.size} bytes, answers ${status}, session ${sessionId}`);
  const { total } = await waitForKept(stage, sessionId, 1, tell);
  const { kept } = await waitForKept(stage, sessionId, Math.floor(total / 3), tell);
  await service.kill();
  const { reserved } = await readBooks(databaseUrl, account.accountId);
  const atKill = await readKeptParts(databaseUrl, sessionId);
  tell(`kill -9 of the server; ${atKill.kept.length} of ${total} parts are kept, ${reserved} credits reserved`);
  await service.start();
  const restartedAt = seconds();
  tell(`the server runs again, process ${service.pid()}`);
  await waitForKept(stage, sessionId, kept.length + 1, tell);
  const done = await api.waitUntilDone<Process>(`/process/${sessionId}`, PATIENCE_MS);
  const recoverySeconds = seconds() - restartedAt;
  tell(`${done.status}: ${JSON.stringify(done.output)}`);
  tell(`${done.tokensIn} tokens in, ${done.creditsUsed} credits`);
  return { pages, total, kept: atKill.kept, done, recoverySeconds };
}

/** Until so many parts are kept, or the reading is over. */
async function waitForKept(
  { databaseUrl }: FaultStage,
  sessionId: string,
  count: number,
  tell: (line: string) => void,
): Promise<{ kept: number[]; total: number }> {
  const deadline = performance.now() + PATIENCE_MS;
  let isPlanned = false;
  for (;;) {
    const parts = await readKeptParts(databaseUrl, sessionId);
    if (parts.kept.length >= count) {
      tell(`${parts.kept.length} of ${parts.total} parts are kept: ${parts.kept.join(", ")}`);
      return parts;
    }
    if (isPlanned && parts.total === 0) return parts;
    isPlanned ||= parts.total > 0;
    if (performance.now() > deadline) throw new Error(`Only ${parts.kept.length} of ${parts.total} parts were kept.`);
    await delay(POLL_MS);
  }
}
