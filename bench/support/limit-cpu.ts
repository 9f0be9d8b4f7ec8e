import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";

/** Short, so that a process which used its share waits some milliseconds and no more. */
const PERIOD_MICROSECONDS = 10_000;

/** Where Linux keeps limits of processor time: the older tree, and the one that took its place. */
const TREES: { root: string; limit: (quota: number) => Record<string, string> }[] = [
  {
    root: "/sys/fs/cgroup/cpu",
    limit: (quota) => ({ "cpu.cfs_period_us": `${PERIOD_MICROSECONDS}`, "cpu.cfs_quota_us": `${quota}` }),
  },
  { root: "/sys/fs/cgroup", limit: (quota) => ({ "cpu.max": `${quota} ${PERIOD_MICROSECONDS}` }) },
];

/**
 * Holds a process with all its threads to a share of one core, e.g. 0.25, whatever else is idle. Takes a system that lets
 * this user make control groups.
 * @returns what ends the limit; null where the system has none to give
 */
export function limitCpu(pid: number, share: number): (() => void) | null {
  for (const { root, limit } of TREES) {
    const group = `${root}/bench-${process.pid}-${pid}`;
    try {
      mkdirSync(group);
    } catch {
      continue;
    }
    try {
      for (const [file, value] of Object.entries(limit(Math.round(share * PERIOD_MICROSECONDS)))) {
        writeFileSync(`${group}/${file}`, value);
      }
      writeFileSync(`${group}/cgroup.procs`, `${pid}`);
      return () => removeGroup(root, group);
    } catch {
      removeGroup(root, group);
    }
  }
  return null;
}

/** A group with a process in it cannot go: what still runs returns to where it came from. */
function removeGroup(root: string, group: string): void {
  try {
    for (const pid of readFileSync(`${group}/cgroup.procs`, "utf8").split("\n").filter(Boolean)) {
      writeFileSync(`${root}/cgroup.procs`, pid);
    }
    rmdirSync(group);
  } catch {
    // The system forgets it with its next start.
  }
}
