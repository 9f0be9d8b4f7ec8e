import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second for programs, whatever its own clock is. */
const TICKS_PER_MS = 0.1;

/**
 * Milliseconds of processor that a process has used, all threads; null where the system does not tell (it does on Linux).
 * What work costs is told better by this than by the clock when a machine is shared.
 */
export function cpuMs(pid: number): number | null {
  return readTicks(pid, 11);
}

/** The same of children of a process that have ended: without it, what they used is lost with them. */
export function endedChildrenCpuMs(pid: number): number | null {
  return readTicks(pid, 13);
}

/** The sum of a field and the one after it: time in programs and in the system. */
function readTicks(pid: number, field: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[field]) + Number(fields[field + 1])) / TICKS_PER_MS;
  } catch {
    return null;
  }
}
