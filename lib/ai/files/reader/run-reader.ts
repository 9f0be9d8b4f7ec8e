import { availableParallelism } from "node:os";
import { buffer } from "node:stream/consumers";
import { isRanged, type ReaderSource } from "@/lib/ai/files/reader/read-source";
import { runClock } from "@/lib/ai/files/reader/run-clock";
import { startReader } from "@/lib/ai/files/reader/start-reader";
import type { ByteRange } from "@/lib/domain/byte-range";
import { TurnError } from "@/lib/domain/turn-errors";
import { limitParallel } from "@/lib/limit-parallel";
import { processSingleton } from "@/lib/process-singleton";

/** What the process of a reader may cost. */
export interface ProcessLimits {
  deadlineMs?: number;
  /** Of the thread that reads. */
  maxMemoryBytes?: number;
  /** Whose file it is: any key, by which the places of readers are shared out. */
  lane?: string;
  /** Ends the reading; what is thrown then is the signal's own reason. */
  signal?: AbortSignal;
}

export interface ReaderLimits extends ProcessLimits {
  /** Reading stops at so much text. */
  maxCharacters: number;
  maxPages?: number;
}

export interface ReaderJob<Part = never, Question = never> {
  /** The worker's file, as seen from the folder of all readers. */
  worker:
    | "pages/pdf-worker.mjs"
    | "pages/page-pictures-worker.mjs"
    | "office/office-worker.mjs"
    | "office/office-pictures-worker.mjs"
    | "mail/mail-worker.mjs"
    | "pictures/image-worker.mjs"
    | "sound/sound-worker.mjs";
  source: ReaderSource;
  /** What the worker has to know beside the bytes. */
  options: Record<string, unknown>;
  limits: ProcessLimits;
  /** Takes what the worker hands over before its end. */
  onPart?: (part: Part) => void;
  /** Answers what the worker asks for beside parts of its file; what it throws ends the reading and is thrown then. */
  onQuestion?: (question: Question) => Promise<unknown>;
  /** The work of its questions takes long: it neither counts as the reader's own time nor takes a place of the others. */
  isLong?: boolean;
  /** For whoever sent a file that exceeds the limits. */
  tooMuchMessage: string;
}

/** What a reader says: the text, or why there is none; `detail` is for the logs. */
export type ReaderReport<Result, Failure extends string> = { result: Result } | { failure: Failure; detail: string };

/**
 * Reads one file in a process of its own, which is ended when it takes too long or too much memory: a hostile file
 * costs no more than its limits, and its reader takes nobody along when it dies. A few run at once; the
 * others wait, and many files of one lane keep nobody else's waiting.
 * @throws TurnError UNSUPPORTED_FILE when the file exceeds the limits; the signal's own reason when it ends the reading
 */
export function runReader<Result, Failure extends string, Part = never, Question = never>(
  job: ReaderJob<Part, Question>,
): Promise<ReaderReport<Result, Failure>> {
  const run = job.isLong
    ? processSingleton("long-readers", () => limitParallel(MAX_LONG_READERS))
    : processSingleton("file-readers", () => limitParallel(MAX_READERS));
  return run(() => readInProcess<Result, Failure, Part, Question>(job), job.limits);
}

/** One core stays for serving. */
const MAX_READERS = Math.max(1, Math.min(4, availableParallelism() - 1));
/** They wait for others most of the time, and take some hundred megabytes each. */
const MAX_LONG_READERS = 2;
const DEADLINE_MS = 30_000;
export const READER_MEMORY_BYTES = 256 * 1024 * 1024;
const MAX_HEAP_MEGABYTES = 192;
/** With the runtime itself and what native code takes. */
const MAX_PROCESS_BYTES = 1024 * 1024 * 1024;

interface Crash {
  crash: string;
  /** Not the document's fault but the installation's: must not pass for a bad file. */
  isMissing?: boolean;
}

/** What the process says: what it read, that it cannot go on, a part of what it reads, or what it has to know before. */
type Message<Result, Failure extends string, Part, Question> =
  | ReaderReport<Result, Failure>
  | Crash
  | { part: Part }
  /** `isPause`: what happens meanwhile is no reading. */
  | { ask: number; question: Question | RangeQuestion; isPause?: boolean };

interface RangeQuestion {
  range: ByteRange;
}

async function readInProcess<Result, Failure extends string, Part, Question>(
  job: ReaderJob<Part, Question>,
): Promise<ReaderReport<Result, Failure>> {
  const { signal, deadlineMs = DEADLINE_MS } = job.limits;
  const order = orderOf(job, await dataOf(job.source));
  signal?.throwIfAborted();
  const child = startReader();
  let stop = () => {};
  let endClock = () => {};
  let isOver = false;
  try {
    const report = await new Promise<ReaderReport<Result, Failure> | Crash>((resolve, reject) => {
      const crash = (reason: unknown) => resolve({ crash: String(reason) });
      stop = () => reject(signal?.reason);
      signal?.addEventListener("abort", stop, { once: true });
      const clock = runClock(deadlineMs, () => crash("too slow"));
      endClock = clock.pause;
      child.on("message", (message: Message<Result, Failure, Part, Question>) => {
        if ("part" in message) job.onPart?.(message.part);
        else if (!("ask" in message)) resolve(message);
        else {
          if (message.isPause) clock.pause();
          const answer = (value: unknown) => {
            if (isOver) return;
            if (message.isPause) clock.goOn();
            child.send({ answer: message.ask, value }, () => {});
          };
          answerOf(job, message.question).then(answer, reject);
        }
      });
      child.once("error", (error) => resolve({ crash: String(error), isMissing: true }));
      child.once("exit", (code, ending) => crash(`the reader ended without a report (${code ?? ending})`));
      // What cannot be sent ends the process, which is reported above.
      child.send(order, () => {});
    });
    if (!("crash" in report)) return report;
    if (report.isMissing) throw new Error(`A file cannot be read: ${report.crash}`);
    throw new TurnError("UNSUPPORTED_FILE", job.tooMuchMessage, { cause: new Error(report.crash) });
  } finally {
    isOver = true;
    endClock();
    signal?.removeEventListener("abort", stop);
    child.kill("SIGKILL");
  }
}

async function answerOf<Part, Question>(
  { source, onQuestion }: ReaderJob<Part, Question>,
  question: Question | RangeQuestion,
): Promise<unknown> {
  if (!isRange(question)) return onQuestion?.(question);
  if (!isRanged(source)) throw new Error("A reader asks for parts of a file that it has.");
  return plain(await buffer(await source.bytesSource(question.range)));
}

function isRange(question: unknown): question is RangeQuestion {
  return typeof question === "object" && question !== null && "range" in question;
}

/** What the worker is given of the file; with a size it has to ask for its parts. */
async function dataOf(source: ReaderSource): Promise<{ bytes: Uint8Array; size?: number }> {
  if (isRanged(source)) return { bytes: new Uint8Array(), size: source.size };
  return { bytes: plain(typeof source === "function" ? await source() : source) };
}

/** An array of bytes, whatever it was. */
const plain = (bytes: Uint8Array) => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function orderOf<Part, Question>(
  { worker, options, limits }: ReaderJob<Part, Question>,
  data: { bytes: Uint8Array; size?: number },
) {
  return {
    worker,
    data: { ...options, ...data },
    maxHeapMegabytes: MAX_HEAP_MEGABYTES,
    maxMemoryBytes: limits.maxMemoryBytes ?? READER_MEMORY_BYTES,
    maxProcessBytes: MAX_PROCESS_BYTES,
  };
}
