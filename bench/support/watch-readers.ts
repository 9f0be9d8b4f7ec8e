import { readFileSync } from "node:fs";
import { peakResidentKb } from "@/bench/support/memory";

/** How much memory the processes took that this one started meanwhile. */
export interface ReaderWatch {
  /** Of the largest, in megabytes; 0 when there was none. */
  peakMb(): number;
  stop(): void;
}

const SAMPLE_MS = 5;

/** Each keeps its own peak, so that looking now and then is enough. Linux only: elsewhere 0. */
export function watchReaders(): ReaderWatch {
  let peakKb = 0;
  const timer = setInterval(() => {
    for (const pid of childPids()) peakKb = Math.max(peakKb, peakResidentKb(pid) ?? 0);
  }, SAMPLE_MS);
  return { peakMb: () => peakKb / 1024, stop: () => clearInterval(timer) };
}

function childPids(): number[] {
  try {
    const list = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8");
    return list.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
