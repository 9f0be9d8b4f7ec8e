import { readFileSync } from "node:fs";

/** How the memory of a process went while something ran. */
export interface MemoryWatch {
  /** The most since the start of the watch, in megabytes above what it was then. */
  grownMb(): number;
  stop(): void;
}

const SAMPLE_MS = 50;

/** Resident memory of a process in kilobytes; null where the system does not tell (it does on Linux). */
export function residentKb(pid: number): number | null {
  return readStatus(pid, /^VmRSS:\s+(\d+) kB$/m);
}

/** The most that it has been since the process began. */
export function peakResidentKb(pid: number): number | null {
  return readStatus(pid, /^VmHWM:\s+(\d+) kB$/m);
}

function readStatus(pid: number, pattern: RegExp): number | null {
  try {
    const line = pattern.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return line ? Number(line[1]) : null;
  } catch {
    return null;
  }
}

export function watchMemory(pid: number): MemoryWatch {
  const before = residentKb(pid) ?? 0;
  let peak = before;
  const sample = () => {
    peak = Math.max(peak, residentKb(pid) ?? 0);
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    grownMb() {
      sample();
      return (peak - before) / 1024;
    },
    stop: () => clearInterval(timer),
  };
}

/** Resolves when the memory of a process has stopped falling, or after a while. */
export async function settleMemory(pid: number, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let last = Number.POSITIVE_INFINITY; Date.now() < deadline; ) {
    const now = residentKb(pid) ?? 0;
    if (now >= last) return;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
