import { setTimeout as delay } from "node:timers/promises";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { findViolations } from "@/bench/support/books-rules";
import { peakResidentKb } from "@/bench/support/memory";
import { measureQuotedScan } from "@/bench/support/quoted-scan";
import { readBooks } from "@/e2e/support/books";
import { type FaultStage, setFaultStage } from "@/e2e/support/fault-stage";
import {
  countAsked,
  countingModel,
  halfScannedDocument,
  LONG_DOCUMENT_MODEL,
  longDocument,
  readKeptParts,
} from "@/e2e/support/long-document";
import { buildIfChanged } from "@/scripts/support/build-app";

const PAGES = 2_000;
const SHORT_PAGES = 800;
const SCANNED_PAGES = 300;
const SHORT_SCANNED_PAGES = 120;
const QUOTED_PAGES = 150;
const SHORT_QUOTED_PAGES = 60;
/** A page at 150 dots to an inch. */
const SCAN = { scan: { width: 1_240, height: 1_754 } };
const CREDITS = 100_000;
const PART_MS = 1_000;
const POLL_MS = 20;
const PATIENCE_MS = 180_000;

interface Process {
  status: string;
  output: string;
  tokensIn: number;
  creditsUsed: number;
}

interface LongDocument {
  /** For the names of its figures. */
  name: string;
  file: File;
  pages: number;
}

/**
 * Documents far beyond what the model takes at once, one of text and one that is half scanned, and kill -9 of the server in
 * the middle of each: told line by line, then what was asked of the model and what was charged. Then a long scan that is
 * mostly white: what it is quoted against what it costs. `--pages 1000` takes a longer one, and some minutes.
 */
export const longDocumentBenchmark: Benchmark = async (run) => {
  await buildIfChanged();
  const stage = await setFaultStage({ DEFAULT_MODEL: LONG_DOCUMENT_MODEL }, CREDITS);
  run.onEnd(() => stage.close());
  stage.model.setBehaviour(countingModel(PART_MS));
  const pages = run.isShort ? SHORT_PAGES : PAGES;
  const scanned = run.isShort ? SHORT_SCANNED_PAGES : SCANNED_PAGES;
  await measure(run, stage, { name: "text", file: longDocument(pages), pages });
  await measure(run, stage, { name: "half scanned", file: halfScannedDocument(scanned, () => SCAN), pages: scanned });
  await measureQuotedScan(run, stage, run.isShort ? SHORT_QUOTED_PAGES : run.option("pages", QUOTED_PAGES));
};

async function measure({ report }: BenchmarkRun, stage: FaultStage, document: LongDocument): Promise<void> {
  const before = await readBooks(stage.databaseUrl, stage.account.accountId);
  stage.model.journal.length = 0;
  const told = await tellOneReading(stage, document);
  const asked = countAsked(stage.model.journal);
  const requests = [...asked.values()].reduce((sum, count) => sum + count, 0);
  const again = told.kept.filter((number) => asked.get(number) !== 1).length;
  const books = await readBooks(stage.databaseUrl, stage.account.accountId);
  const figure = (name: string, ...rest: FigureRest) => report.figure(`${document.name}: ${name}`, ...rest);
  figure("pages", document.pages, "");
  figure("parts", told.total, "");
  figure("parts kept when the server was killed", told.kept.length, "");
  figure("of these asked again", again, "", { atMost: 0 });
  figure("parts asked again: under way at the kill", requests - told.total, "", { atMost: 3 });
  figure("asks of one part, most", Math.max(...asked.values()), "", { atMost: 2 });
  figure("tokens read", told.done.tokensIn, "");
  figure("credits charged", told.done.creditsUsed, "");
  figure("ledger beside the balance", Math.abs(books.ledger - books.balance), "credits", { atMost: 0 });
  figure("from the upload until the first part is kept", told.firstPartSeconds, "s");
  figure("from the restart until the answer", told.recoverySeconds, "s");
  figure("most memory of the restarted server", told.peakMb, "MB");
  const mustHold = (condition: boolean, otherwise: string) =>
    report.mustHold(condition, `${document.name}: ${otherwise}`);
  mustHold(told.done.status === "completed", `the processing ended as ${told.done.status}`);
  mustHold(told.done.output.startsWith(`Found ${document.pages} facts`), "not every page was read exactly once");
  mustHold(again === 0, `${again} parts were paid for twice`);
  mustHold(requests - told.total <= 3, `${requests - told.total} parts were asked again`);
  mustHold(books.balance === before.balance - told.done.creditsUsed, "the charge is not the balance's difference");
  for (const violation of findViolations(books)) mustHold(false, violation);
}

type FigureRest = [value: number, unit: string, goal?: { atMost: number }];

async function tellOneReading(stage: FaultStage, { file, pages }: LongDocument) {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const tell = (line: string) => console.log(`  ${seconds().toFixed(3).padStart(7)} s  ${line}`);
  const { api, service, databaseUrl, account } = stage;
  console.log(`\nA document that is more than the model takes at once, ${file.name}:`);
  const { status, body } = await api.upload<{ sessionId: string }>("/process", {
    file,
    prompt: "How many facts are there?",
  });
  const { sessionId } = body;
  tell(`POST /process of ${pages} pages, ${file.size} bytes, answers ${status}, session ${sessionId}`);
  const { total } = await waitForKept(stage, sessionId, 1, tell);
  const firstPartSeconds = seconds();
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
  const peakMb = (peakResidentKb(service.pid()) ?? 0) / 1024;
  return { total, kept: atKill.kept, done, firstPartSeconds, recoverySeconds, peakMb };
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
