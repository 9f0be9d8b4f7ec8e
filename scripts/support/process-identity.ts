import { execFileSync, type StdioOptions } from "node:child_process";
import { readFileSync } from "node:fs";
import { IS_WINDOWS } from "@/scripts/support/own-session";

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

/** Whether the process is still there, and still the same, as far as the system says. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  if (!isPidAlive(pid)) return false;
  const now = startOf(pid);
  return now === "" || startedAt === "" || now === startedAt;
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
    return IS_WINDOWS ? ofWindows(askWindows(pid, "CommandLine")) : askPs(pid, "command=");
  } catch {
    return "";
  }
}

/** A path that leads to where a process works, wherever that was moved; empty where the system does not tell. */
export function workingFolderOf(pid: number): string {
  if (process.platform === "linux") return `/proc/${pid}/cwd`;
  try {
    const words = IS_WINDOWS
      ? ""
      : ask("lsof", ["-a", "-p", String(pid), "-d", "cwd", "-Fn"], { ...process.env, LC_ALL: "en_US.UTF-8" });
    return /^n(.+)$/m.exec(words)?.[1] ?? "";
  } catch {
    return "";
  }
}

function startOf(pid: number): string {
  try {
    if (process.platform !== "linux") {
      return IS_WINDOWS ? askWindows(pid, "CreationDate.ToFileTimeUtc()") : askPs(pid, "lstart=");
    }
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

/** The same words in every terminal: it tells times in the caller's zone and language, and cuts lines to its width. */
function askPs(pid: number, column: string): string {
  const env = { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
  return ask("ps", ["-ww", "-o", column, "-p", String(pid)], env);
}

function askWindows(pid: number, property: string): string {
  const question = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').${property}`;
  return ask("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", question], process.env);
}

function ask(program: string, args: string[], env: NodeJS.ProcessEnv): string {
  const stdio: StdioOptions = ["ignore", "pipe", "ignore"];
  return execFileSync(program, args, { encoding: "utf8", env, stdio, windowsHide: true }).trim();
}

/** Without the marks around words with blanks, and without the ending of the program, as elsewhere. */
function ofWindows(commandLine: string): string {
  return commandLine.replaceAll('"', "").replace(/\.exe /i, " ");
}
