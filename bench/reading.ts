import { Readable } from "node:stream";
import type { Benchmark } from "@/bench/support/benchmark";
import { HOSTILE, KINDS, type ReadingSample } from "@/bench/support/reading-samples";
import { watchReaders } from "@/bench/support/watch-readers";
import { startModelServer } from "@/e2e/support/model-server";
import type { Extraction } from "@/lib/ai/files/file-kinds";
import type { BytesSource } from "@/lib/ai/files/reader/read-source";
import { understandFile } from "@/lib/ai/files/understand-file";
import { TurnError } from "@/lib/domain/turn-errors";

/** Reading ends by then at the latest: the readers of text and of pictures, each with its deadline. */
const LONGEST_MS = 100_000;
/** What a reader's process may take, and what it may grow by between two looks at it. */
const MOST_MEMORY_MB = 1_024 + 256;

/** What is read of every kind of file, and what becomes of hostile ones: code, time, memory of the reader's process. */
export const reading: Benchmark = async ({ isShort, report, onEnd }) => {
  const model = await startModelServer();
  onEnd(() => model.stop());
  Object.assign(process.env, { NODE_ENV: "production", LOG_LEVEL: "silent", OPENAI_BASE_URL: model.baseUrl });
  const rows: ReadRow[] = [];
  for (const sample of [...KINDS, ...(isShort ? HOSTILE.slice(0, 4) : HOSTILE)]) rows.push(await readSample(sample));
  print(rows);
  const kinds = rows.slice(0, KINDS.length);
  const hostile = rows.slice(KINDS.length);
  for (const { name, outcome } of kinds) report.mustHold(!outcome.startsWith("refused"), `${name} is ${outcome}`);
  for (const { name, ms, peakMb } of rows) {
    report.mustHold(ms < LONGEST_MS, `${name} took ${Math.round(ms)} ms`);
    report.mustHold(peakMb < MOST_MEMORY_MB, `${name} took ${Math.round(peakMb)} MB`);
  }
  report.figure("kinds read", kinds.length, "");
  report.figure("hostile files ended", hostile.length, "");
  report.figure("longest reading of a usual file", Math.max(...kinds.map(({ ms }) => ms)), "ms");
  report.figure("longest reading of a hostile one", Math.max(...hostile.map(({ ms }) => ms)), "ms");
  report.figure("most memory of a reader", Math.max(...rows.map(({ peakMb }) => peakMb)), "MB");
};

interface ReadRow {
  name: string;
  /** What was read of it, or the code it was refused with. */
  outcome: string;
  ms: number;
  /** 0 when no process was needed. */
  peakMb: number;
}

async function readSample([name, make]: ReadingSample): Promise<ReadRow> {
  const bytes = await make();
  const watch = watchReaders();
  const startedAt = performance.now();
  const outcome = await readBytes(bytes);
  const ms = performance.now() - startedAt;
  watch.stop();
  return { name, outcome, ms, peakMb: watch.peakMb() };
}

async function readBytes(bytes: Uint8Array): Promise<string> {
  try {
    const bytesSource: BytesSource = async ({ start, end } = { start: 0, end: bytes.byteLength - 1 }) =>
      Readable.from([bytes.subarray(start, end + 1)]);
    const file = {
      bytesSource,
      size: bytes.byteLength,
      name: "file",
      contentType: "",
      lane: "",
      model: "gpt-4.1-mini",
    };
    return describe((await understandFile(file)).extraction);
  } catch (error) {
    // Anything else is a fault of ours, and ends the run.
    if (error instanceof TurnError) return `refused: ${error.code}, ${error.message}`;
    throw error;
  }
}

function describe({ kind, leftOut, skipped, ...facts }: Extraction): string {
  const counted = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  const missing = Object.entries({ ...leftOut, ...skipped }).map(([name, value]) => `${name} ${value}`);
  return [kind, ...counted, ...(missing.length > 0 ? [`left out: ${missing.join(" ")}`] : [])].join(", ");
}

function print(rows: ReadRow[]): void {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, outcome, ms, peakMb }) => {
    const figures = `${Math.round(ms).toString().padStart(6)} ms  ${peakMb === 0 ? "     -" : `${Math.round(peakMb).toString().padStart(3)} MB`}`;
    return `${name.padEnd(width)}  ${figures}  ${outcome}`;
  });
  console.log(`\n${lines.join("\n")}\n`);
}
