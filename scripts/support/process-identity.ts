import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A process that cannot be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  pid: number;
  /** When it was started, in the system's own words; empty where the system does not say. */
  startedAt: string;
}

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startedAt: startOf(process.pid) };
}

/** Whether the process is still there, and still the same. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  return isPidAlive(pid) && startOf(pid) === startedAt;
}

/** Whether any process has this number. */
export function isPidAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return stateOf(pid) !== "Z";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The command line of a process; empty when it is gone or cannot be read. */
export function commandLineOf(pid: number): string {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return askPs(pid, "command=");
  } catch {
    return "";
  }
}

function startOf(pid: number): string {
  try {
    if (process.platform !== "linux") return process.platform === "win32" ? "" : askPs(pid, "lstart=");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    // Field 22 of stat; the second field may hold spaces, so count from behind its bracket.
    return `${boot} ${fieldsOf(pid)[19] ?? ""}`;
  } catch {
    return "";
  }
}

function stateOf(pid: number): string {
  try {
    return process.platform === "linux" ? (fieldsOf(pid)[0] ?? "") : "";
  } catch {
    return "";
  }
}

function fieldsOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function askPs(pid: number, column: string): string {
  return execFileSync("ps", ["-o", column, "-p", String(pid)], { encoding: "utf8" }).trim();
}
