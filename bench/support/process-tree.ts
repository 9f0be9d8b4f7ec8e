import { readdirSync, readFileSync } from "node:fs";

/** A process as it was seen; `startedAt` tells it from a later one of the same number. */
export interface SeenProcess {
  pid: number;
  startedAt: string;
  commandLine: string;
}

/** All processes below one, whatever session they are in. Linux only: elsewhere none. */
export function descendantsOf(rootPid: number): SeenProcess[] {
  const all = allPids().flatMap((pid) => readStat(pid) ?? []);
  const found: SeenProcess[] = [];
  const parents = new Set([rootPid]);
  for (let size = 0; size !== parents.size; ) {
    size = parents.size;
    for (const { pid, parent } of all) if (parents.has(parent)) parents.add(pid);
  }
  for (const { pid, startedAt } of all) {
    if (pid !== rootPid && parents.has(pid)) found.push({ pid, startedAt, commandLine: commandLineOf(pid) });
  }
  return found;
}

/** Those of them that still run. */
export function stillRunning(seen: SeenProcess[]): SeenProcess[] {
  return seen.filter(({ pid, startedAt }) => {
    const stat = readStat(pid);
    return stat !== null && stat.startedAt === startedAt && stat.state !== "Z";
  });
}

function allPids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function readStat(pid: number): { pid: number; parent: number; state: string; startedAt: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { pid, state: fields[0] ?? "", parent: Number(fields[1]), startedAt: fields[19] ?? "" };
  } catch {
    return null;
  }
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}
