import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "node:tls";
import { promisify } from "node:util";
import type { BenchmarkRun } from "@/bench/support/benchmark";
import { nginxConfig } from "@/bench/support/nginx/nginx-config";
import { descendantsOf } from "@/bench/support/process-tree";
import type { TestCertificates } from "@/e2e/support/test-certificates";

export interface Nginx {
  /** https */
  url: string;
  version: string;
  /** Bytes that its processes have had written to disks; null where the system does not tell. */
  writtenBytes(): Promise<number | null>;
}

const START_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

/** The version of the nginx on the PATH; null when there is none. */
export async function findNginx(): Promise<string | null> {
  const found = await promisify(execFile)("nginx", ["-v"]).catch(() => null);
  return found && (/nginx\/(\S+)/.exec(found.stderr)?.[1] ?? "of an unknown version");
}

/** Starts nginx in front of a service, with the configuration of the document on operations; it ends with the run. */
export async function startNginx(
  run: BenchmarkRun,
  places: { port: number; servicePort: number; certificates: TestCertificates },
): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), "service-bench-nginx-"));
  run.onEnd(() => rm(folder, { recursive: true, force: true }));
  const [certificate, key, config] = ["api.pem", "api.key", "nginx.conf"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(certificate, places.certificates.certPem);
  await writeFile(key, places.certificates.keyPem, { mode: 0o600 });
  await writeFile(config, nginxConfig({ ...places, certificate, key, folder }));
  const child = spawn("nginx", ["-c", config, "-p", folder, "-e", join(folder, "error.log")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (data: Buffer) => {
    said += data.toString();
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  run.onEnd(async () => {
    if (hasEnded()) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await listens(places.port, places.certificates.caPem))) {
    if (hasEnded() || Date.now() > deadline) throw new Error(`nginx did not start:\n${said}`);
    await delay(POLL_MS);
  }
  const pids = () => [child.pid ?? 0, ...descendantsOf(child.pid ?? 0).map(({ pid }) => pid)];
  return {
    url: `https://localhost:${places.port}`,
    version: (await findNginx()) ?? "",
    writtenBytes: async () => {
      const each = await Promise.all(pids().map(writtenBytesOf));
      return each.includes(null) ? null : each.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
    },
  };
}

function listens(port: number, ca: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "localhost", port, ca }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

async function writtenBytesOf(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/io`, "utf8").catch(() => "");
  const bytes = /^write_bytes: (\d+)$/m.exec(text)?.[1];
  return bytes === undefined ? null : Number(bytes);
}
