// The process around one reader's thread (see run-reader.ts). It reads one file in a thread with a limit of memory and
// reports by message. V8 ends a whole process when a heap runs full faster than its limit can be enforced: then this
// one ends, and not the server.
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { isMissingPart } from "./missing-part.mjs";

/** How often the thread's memory is looked at: buffers do not count against its heap limit. */
const MEMORY_CHECK_MS = 50;

// Without the server there is nobody to read for.
process.once("disconnect", () => process.exit());
process.once("message", ({ worker: file, data, maxHeapMegabytes, maxMemoryBytes, maxProcessBytes }) => {
  const report = (message) => process.send(message, () => process.exit());
  const worker = new Worker(fileURLToPath(new URL(`../${file}`, import.meta.url)), {
    workerData: data,
    transferList: [data.bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  // A part goes on at once: what was read before a limit is reached is not lost.
  worker.on("message", (message) => ("part" in message || "ask" in message ? process.send(message) : report(message)));
  process.on("message", (answer) => worker.postMessage(answer));
  worker.once("error", (error) => report({ crash: String(error), isMissing: isMissingPart(error) }));
  worker.once("exit", () => report({ crash: "the reader ended without a report" }));
  const look = async () => {
    // Refused once the thread has ended, which is reported elsewhere.
    const statistics = await worker.getHeapStatistics().catch(() => undefined);
    const usedBytes = (statistics?.used_heap_size ?? 0) + (statistics?.external_memory ?? 0);
    // What native code takes shows in the process alone.
    const processBytes = process.memoryUsage.rss();
    if (usedBytes > maxMemoryBytes || processBytes > maxProcessBytes) report({ crash: "too much memory" });
  };
  // The first look comes before a short file is read.
  look();
  setInterval(look, MEMORY_CHECK_MS);
});
