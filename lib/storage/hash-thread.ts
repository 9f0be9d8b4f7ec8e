import { Worker } from "node:worker_threads";

type Request =
  | { id: number; kind: "update"; shared: Uint8Array; length: number }
  | { id: number; kind: "finish" }
  | { id: number; kind: "drop" };
type Reply = { id: number; sha256?: string };

/** Runs in the thread. As text, because bundlers do not agree on how a file for a thread is named. */
const SOURCE = `
  const { parentPort } = require("node:worker_threads");
  const { createHash } = require("node:crypto");
  const hashes = new Map();
  parentPort.on("message", ({ id, kind, shared, length }) => {
    if (kind === "update") {
      if (!hashes.has(id)) hashes.set(id, createHash("sha256"));
      hashes.get(id).update(shared.subarray(0, length));
      parentPort.postMessage({ id });
      return;
    }
    const hash = hashes.get(id);
    hashes.delete(id);
    if (kind === "finish") parentPort.postMessage({ id, sha256: hash.digest("hex") });
  });
`;

/** A thread that computes SHA-256 of several files at once, each with one request open at a time. */
export class HashThread {
  isAlive = true;
  /** It needs none of the process's settings, secrets or loaders. */
  private readonly worker = new Worker(SOURCE, { eval: true, name: "file-hash", env: {}, execArgv: [] });
  private readonly open = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>();
  private lastId = 0;

  constructor() {
    this.worker.on("message", (reply: Reply) => {
      const waiting = this.open.get(reply.id);
      this.open.delete(reply.id);
      // Only work keeps the process going. (Adding a listener does too: hence here and below, not once before.)
      if (this.open.size === 0) this.worker.unref();
      waiting?.resolve(reply);
    });
    this.worker.on("error", (error) => this.end(error instanceof Error ? error : new Error(String(error))));
    this.worker.on("exit", () => this.end(new Error("The hash thread ended.")));
    this.worker.unref();
  }

  begin(): number {
    this.lastId += 1;
    return this.lastId;
  }

  /** `shared` must stay as it is until this returns. */
  async update(id: number, shared: Uint8Array, length: number): Promise<void> {
    await this.ask({ id, kind: "update", shared, length });
  }

  async finish(id: number): Promise<string> {
    const { sha256 } = await this.ask({ id, kind: "finish" });
    if (sha256 === undefined) throw new Error("The hash thread gave no result.");
    return sha256;
  }

  drop(id: number): void {
    if (this.isAlive) this.worker.postMessage({ id, kind: "drop" } satisfies Request);
  }

  private ask(request: Request): Promise<Reply> {
    if (!this.isAlive) return Promise.reject(new Error("The hash thread ended."));
    this.worker.ref();
    return new Promise((resolve, reject) => {
      this.open.set(request.id, { resolve, reject });
      this.worker.postMessage(request);
    });
  }

  private end(error: Error): void {
    this.isAlive = false;
    for (const { reject } of this.open.values()) reject(error);
    this.open.clear();
  }
}
