import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { limitParallel } from "@/lib/ai/files/limit-parallel";
import { TurnError } from "@/lib/domain/turn-errors";
import { processSingleton } from "@/lib/process-singleton";

export interface ReaderLimits {
  /** Reading stops at so much text. */
  maxCharacters: number;
  maxPages?: number;
  deadlineMs?: number;
  maxMemoryBytes?: number;
}

export interface ReaderJob {
  /** Name of the worker's file beside this one. */
  worker: "pdf-worker.mjs" | "office-worker.mjs";
  bytes: Uint8Array;
  limits: ReaderLimits;
  /** For whoever sent a file that exceeds the limits. */
  tooMuchMessage: string;
}

/** What a reader says: the text, or why there is none; `detail` is for the logs. */
export type ReaderReport<Result, Failure extends string> = { result: Result } | { failure: Failure; detail: string };

/**
 * Reads one file in a process of its own, which is ended when it takes too long or too much memory: a hostile file
 * costs no more than its limits, and its reader takes nobody along when it dies. A few run at once, the others wait.
 * @throws TurnError FILE_UNREADABLE when the file exceeds the limits
 */
export function runReader<Result, Failure extends string>(job: ReaderJob): Promise<ReaderReport<Result, Failure>> {
  const run = processSingleton("file-readers", () => limitParallel(MAX_READERS));
  return run(() => readInProcess<Result, Failure>(job));
}

/** One core stays for serving. */
const MAX_READERS = Math.max(1, Math.min(4, availableParallelism() - 1));
const MAX_PAGES = 5_000;
const DEADLINE_MS = 30_000;
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
const MAX_HEAP_MEGABYTES = 192;

interface Crash {
  crash: string;
  /** Not the document's fault but the installation's: must not pass for a bad file. */
  isMissing?: boolean;
}

async function readInProcess<Result, Failure extends string>(job: ReaderJob): Promise<ReaderReport<Result, Failure>> {
  const child = startProcess();
  let deadline: NodeJS.Timeout | undefined;
  const report = await new Promise<ReaderReport<Result, Failure> | Crash>((resolve) => {
    const crash = (reason: unknown) => resolve({ crash: String(reason) });
    deadline = setTimeout(crash, job.limits.deadlineMs ?? DEADLINE_MS, "too slow");
    child.once("message", (message) => resolve(message as ReaderReport<Result, Failure> | Crash));
    child.once("error", (error) => resolve({ crash: String(error), isMissing: true }));
    child.once("exit", (code, signal) => crash(`the reader ended without a report (${code ?? signal})`));
    // What cannot be sent ends the process, which is reported above.
    child.send(orderOf(job), () => {});
  });
  clearTimeout(deadline);
  child.kill("SIGKILL");
  if (!("crash" in report)) return report;
  if (report.isMissing) throw new Error(`A file cannot be read: ${report.crash}`);
  throw new TurnError("FILE_UNREADABLE", job.tooMuchMessage, { cause: new Error(report.crash) });
}

function orderOf({ worker, bytes, limits }: ReaderJob) {
  return {
    worker,
    // A plain array of bytes, whatever it was.
    bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    maxPages: limits.maxPages ?? MAX_PAGES,
    maxCharacters: limits.maxCharacters,
    maxHeapMegabytes: MAX_HEAP_MEGABYTES,
    maxMemoryBytes: limits.maxMemoryBytes ?? MAX_MEMORY_BYTES,
  };
}

/**
 * Found from the working directory, which is the project's root in every way to run it: inside a bundle, the place of
 * this module says nothing. A list, since bundlers try to follow a path that is written out where a process starts.
 */
const HOST_PATH = ["lib", "ai", "files", "host-worker.mjs"];

function startProcess(): ChildProcess {
  return spawn(process.execPath, [join(process.cwd(), ...HOST_PATH)], {
    serialization: "advanced",
    // Neither loaders nor secrets of the service belong in there.
    env: { NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}
