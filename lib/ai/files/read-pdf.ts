import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { limitParallel } from "@/lib/ai/files/limit-parallel";
import { TurnError } from "@/lib/domain/turn-errors";
import { processSingleton } from "@/lib/process-singleton";

export interface PdfText {
  /** All pages of the document. */
  pageCount: number;
  /** Text of the pages that were read, from the first on; empty for a page without text. */
  pages: string[];
}

export interface PdfLimits {
  /** Reading stops at so much text. */
  maxCharacters: number;
  maxPages?: number;
  deadlineMs?: number;
  maxMemoryBytes?: number;
}

/**
 * The text of a PDF, page by page. A hostile one can cost no more than its limits: it is read in a thread of its own
 * that is ended when it takes too long or too much memory.
 * @throws TurnError FILE_UNREADABLE when it is encrypted, broken, or exceeds the limits
 */
export function readPdf(bytes: Uint8Array, limits: PdfLimits): Promise<PdfText> {
  const run = processSingleton("pdf-readers", () => limitParallel(MAX_READERS));
  return run(() => readInWorker(bytes, limits));
}

/** One core stays for serving. */
const MAX_READERS = Math.max(1, Math.min(4, availableParallelism() - 1));
const MAX_PAGES = 5_000;
const DEADLINE_MS = 30_000;
const MEGABYTE = 1024 * 1024;
const MAX_MEMORY_BYTES = 256 * MEGABYTE;
const MAX_HEAP_MEGABYTES = 192;
/** How often the thread's memory is looked at: buffers do not count against its heap limit. */
const MEMORY_CHECK_MS = 100;

/**
 * Found from the working directory, which is the project's root in every way to run it: inside a bundle,
 * the place of this module says nothing.
 */
const workerPath = () => join(process.cwd(), "lib", "ai", "files", "pdf-worker.mjs");

type WorkerReport = { result: PdfText } | { failure: "encrypted" | "broken"; detail: string };

async function readInWorker(bytes: Uint8Array, limits: PdfLimits): Promise<PdfText> {
  const worker = startWorker(bytes, limits);
  const stops: (() => void)[] = [];
  try {
    const report = await new Promise<WorkerReport>((resolve, reject) => {
      worker.once("message", resolve);
      // Out of memory, or the file of the worker is not there.
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the reader ended without a report")));
      const deadline = setTimeout(() => reject(new Error("too slow")), limits.deadlineMs ?? DEADLINE_MS);
      const memoryCheck = watchMemory(worker, limits.maxMemoryBytes ?? MAX_MEMORY_BYTES, reject);
      stops.push(
        () => clearTimeout(deadline),
        () => clearInterval(memoryCheck),
      );
    }).catch((cause: unknown) => {
      // Not the document's fault but the installation's: must not pass for a bad file.
      if (isModuleMissing(cause)) throw cause;
      throw new TurnError("FILE_UNREADABLE", "The PDF could not be read: it is damaged or too complex.", { cause });
    });
    if ("result" in report) return report.result;
    throw new TurnError("FILE_UNREADABLE", FAILURE_MESSAGES[report.failure], { cause: report.detail });
  } finally {
    for (const stop of stops) stop();
    await worker.terminate();
  }
}

function isModuleMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && /MODULE_NOT_FOUND/.test(String(cause.code));
}

const FAILURE_MESSAGES = {
  encrypted: "The PDF is protected by a password. Send it without one.",
  broken: "The PDF is damaged and could not be read.",
} as const;

function startWorker(bytes: Uint8Array, limits: PdfLimits): Worker {
  // A copy, since small buffers share their memory and cannot be handed over.
  const data = new Uint8Array(bytes);
  const worker = new Worker(workerPath(), {
    workerData: { bytes: data, maxPages: limits.maxPages ?? MAX_PAGES, maxCharacters: limits.maxCharacters },
    transferList: [data.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    // Neither loaders nor secrets of the service belong in there.
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  worker.unref();
  return worker;
}

function watchMemory(worker: Worker, maxBytes: number, reject: (error: Error) => void): NodeJS.Timeout {
  return setInterval(async () => {
    // Refused once the thread has ended, which is reported elsewhere.
    const statistics = await worker.getHeapStatistics().catch(() => undefined);
    const usedBytes = (statistics?.used_heap_size ?? 0) + (statistics?.external_memory ?? 0);
    if (usedBytes > maxBytes) reject(new Error("too much memory"));
  }, MEMORY_CHECK_MS);
}
