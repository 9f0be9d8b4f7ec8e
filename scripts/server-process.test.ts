import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { startServer } from "@/scripts/support/server-process";

/** Listens and crashes; the second time another program has its port, the third time all is well. */
const SERVER = `
  import { appendFileSync, readFileSync } from "node:fs";
  appendFileSync(new URL("starts", import.meta.url), "x");
  const starts = readFileSync(new URL("starts", import.meta.url), "utf8").length;
  process.send(starts === 2 ? { failed: "EADDRINUSE" } : { listening: true });
  if (starts < 3) process.disconnect();
  else process.on("message", () => process.exit(0));
`;

/** Says how large its young heap is before anything ran, and after much was made. */
const YOUNG_SERVER = `
  import { writeFileSync } from "node:fs";
  import { getHeapSpaceStatistics } from "node:v8";
  const youngBytes = () => getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size;
  const atStart = youngBytes();
  // All of it stays in use for as long as others are made.
  const kept = [];
  for (let count = 0; count < 3_000_000; count += 1) kept[count % 300_000] = { count };
  writeFileSync(new URL("young-megabytes.json", import.meta.url), JSON.stringify([atStart, youngBytes()].map((bytes) => bytes / 2 ** 20)));
  process.on("message", () => process.exit(0));
  process.send({ listening: true });
`;

const OPTIONS = { host: "127.0.0.1", port: 3000, isDevelopment: false, stopDelaySeconds: 0, variables: {} };
const NO_WATCHER = { onStart: () => {}, onEnd: () => {} };

let folder: string;

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** A project whose server is this one. */
function layServer(source: string): void {
  folder = mkdtempSync(join(tmpdir(), "service-server-"));
  mkdirSync(join(folder, "scripts"));
  writeFileSync(join(folder, "scripts", "serve.ts"), source);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  vi.spyOn(process, "cwd").mockReturnValue(folder);
}

it("says why a server that crashed does not come back when another program took its port, and starts it once that is gone", async () => {
  layServer(SERVER);
  const words: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => words.push(String(text)) > 0);
  const server = await startServer(OPTIONS, NO_WATCHER);
  await vi.waitUntil(() => words.at(-1)?.includes("runs again"), { timeout: 20_000 });
  await server.stop();
  expect(words).toEqual([
    "The server ended (code 0); starting it again in 0.5 s.\n",
    "Another program took port 3000 meanwhile: stop it, and the server starts by itself.\n",
    "The server ended (code 0); starting it again in 1 s.\n",
    "The server runs again.\n",
  ]);
});

it("gives the server a young heap that neither begins small nor grows large, so that it takes less memory anew under load", async () => {
  layServer(YOUNG_SERVER);
  const server = await startServer(OPTIONS, NO_WATCHER);
  await server.stop();
  const [atStart, atMost] = JSON.parse(readFileSync(join(folder, "scripts", "young-megabytes.json"), "utf8"));
  expect(atStart).toBe(4);
  // Two halves: what lives on is copied from one into the other.
  expect(atMost).toBe(2 * 16);
});
