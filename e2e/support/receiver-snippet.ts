import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SnippetGroup } from "@/components/docs/snippets/snippet";
import { VERIFY_FRESHNESS } from "@/components/docs/snippets/webhook-freshness";
import { RECEIVER } from "@/components/docs/snippets/webhook-receiver";
import { freePort } from "@/scripts/support/free-port";

/** The receiver of the documents as a process of its own. */
export interface ReceiverSnippet {
  /** Sends it a delivery; returns the status. */
  post(body: Buffer, headers: Record<string, string>): Promise<number>;
  /** Begins a delivery and leaves in the middle of its body; resolves when the receiver has let go of it. */
  breakOff(): Promise<void>;
  /** What it has printed, when there are that many lines. */
  linesUntil(count: number): Promise<string[]>;
  stop(): Promise<void>;
}

const START_POLL_MS = 50;

/** Starts it with those secrets, from the files that the documents name. */
export async function startReceiverSnippet(secrets: string[]): Promise<ReceiverSnippet> {
  const folder = await mkdtemp(join(tmpdir(), "receiver-snippet-"));
  await writeFile(join(folder, "is-fresh.mts"), typescriptOf(VERIFY_FRESHNESS));
  await writeFile(join(folder, "receiver.mts"), typescriptOf(RECEIVER));
  const port = await freePort();
  const child = spawn(process.execPath, ["receiver.mts"], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRETS: secrets.join(",") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (data) => {
    output += data;
  });
  const url = `http://127.0.0.1:${port}`;
  while (child.exitCode === null && !(await answers(url))) await new Promise((wait) => setTimeout(wait, START_POLL_MS));
  return {
    post: async (body, headers) => (await fetch(url, { method: "POST", headers, body: new Uint8Array(body) })).status,
    breakOff: async () => {
      const socket = connect(port, "127.0.0.1");
      socket.end("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{").resume();
      await once(socket, "close");
    },
    linesUntil: async (count) => {
      const lines = () => output.split("\n").filter(Boolean);
      while (lines().length < count) await once(child.stdout, "data");
      return lines();
    },
    stop: async () => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function typescriptOf({ snippets }: SnippetGroup): string {
  return snippets.find(({ language }) => language === "TypeScript")?.code ?? "";
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
