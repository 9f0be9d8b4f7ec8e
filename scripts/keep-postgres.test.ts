import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { withDatabase } from "@/e2e/support/test-cluster";
import { keepPostgres } from "@/scripts/support/keep-postgres";
import { readJson } from "@/scripts/support/private-file";

const dataDir = mkdtempSync(join(tmpdir(), "service-kept-"));
// The user that Postgres runs as must be able to pass.
chmodSync(dataDir, 0o711);
const words: string[] = [];
const onLost = vi.fn();
const keep = () => keepPostgres({ dataDir, password: "secret" }, onLost);
const fileOf = (name: string) =>
  join(readJson<{ clusterDir: string }>(join(dataDir, "postgres.json"))?.clusterDir ?? "", name);

beforeEach(() => {
  words.length = 0;
  vi.spyOn(process.stderr, "write").mockImplementation((text) => words.push(String(text)) > 0);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Ends Postgres, and keeps it from coming up, as a full disk does: it needs its file of control. */
async function takeAway(): Promise<void> {
  renameSync(fileOf("global/pg_control"), fileOf("kept_control"));
  process.kill(Number(readFileSync(fileOf("postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL");
  await vi.waitUntil(() => words.at(-1)?.endsWith("It is tried again until it starts.\n"), { timeout: 60_000 });
}

const giveBack = () => renameSync(fileOf("kept_control"), fileOf("global/pg_control"));

it("starts a Postgres that ended, as often as it takes, says once why it does not come up, and is found where it was", async () => {
  const postgres = await keep();
  await takeAway();
  // Another try, which finds the same.
  const log = () => readFileSync(join(dataDir, "postgres.log"), "utf8").match(/pg_control/g)?.length ?? 0;
  const before = log();
  await vi.waitUntil(() => log() > before, { timeout: 60_000 });
  giveBack();
  await vi.waitUntil(() => words.at(-1) === "Postgres runs again.\n", { timeout: 60_000 });
  expect(words).toHaveLength(3);
  expect(words[1]).toMatch(/did not start.*pg_control/s);
  expect(onLost).not.toHaveBeenCalled();
  const client = new Client({ connectionString: withDatabase(postgres.url, "postgres") });
  await client.connect();
  await client.end();
  await postgres.stop();
});

it("can be stopped while it does not come up, and starts nothing afterwards", async () => {
  const postgres = await keep();
  await takeAway();
  await postgres.stop();
  giveBack();
  expect(words).not.toContain("Postgres runs again.\n");
  await expect(new Client({ connectionString: postgres.url }).connect()).rejects.toThrow(/ENOENT|ECONNREFUSED/);
});
