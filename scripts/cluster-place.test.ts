import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  clusterOutside,
  findCluster,
  markCluster,
  unusedClusterNote,
  writeClusterMemory,
} from "@/scripts/support/cluster-place";
import { type RunningPostgres, startPostgres } from "@/scripts/support/embedded-postgres";
import { stopLeftover } from "@/scripts/support/leftover-postgres";
import { isPidAlive } from "@/scripts/support/process-identity";
import { acquireLock } from "@/scripts/support/service-lock";

let base: string;
let running: RunningPostgres[];

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "service-cluster-"));
  // The user that Postgres runs as must be able to pass.
  chmodSync(base, 0o711);
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  rmSync(base, { recursive: true, force: true });
});

function folder(...names: string[]): string {
  const path = join(base, ...names);
  mkdirSync(path, { recursive: true, mode: 0o711 });
  return path;
}

async function start(dataDir: string, isThrowaway = true): Promise<RunningPostgres> {
  const postgres = await startPostgres({ dataDir, password: "one for all", isThrowaway });
  running.push(postgres);
  return postgres;
}

async function run(url: string, sql: string) {
  const client = new Client({ connectionString: url.replace("/service", "/postgres") });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function copy(from: string, to: string): string {
  execFileSync("cp", ["-a", from, to]);
  return to;
}

describe("a copied data directory", { timeout: 60_000 }, () => {
  it("is served by a database of its own while the original runs on", async () => {
    const first = await start(folder("a"));
    await run(first.url, "CREATE TABLE whose (name text)");
    await first.stop();
    const stopped = copy(join(base, "a"), join(base, "b"));
    const original = await start(join(base, "a"));
    const second = await start(stopped);
    await run(second.url, "INSERT INTO whose VALUES ('copy')");
    expect(isPidAlive(original.pid)).toBe(true);
    expect(await run(original.url, "SELECT name FROM whose")).toEqual([]);
    expect(await run(second.url, "SHOW data_directory")).toEqual([{ data_directory: join(stopped, "postgres") }]);
  });

  it("ends nothing of the original when it was copied while that ran, wherever its path ends alike", async () => {
    const original = await start(folder("backup", "a"));
    const copied = copy(join(base, "backup", "a"), join(base, "a"));
    await stopLeftover(join(copied, "postgres"), copied);
    expect(isPidAlive(original.pid)).toBe(true);
    expect(readdirSync(join(copied, "postgres"))).not.toContain("postmaster.pid");
    expect(readdirSync(join(base, "backup", "a", "postgres"))).toContain("postmaster.pid");
  });

  it("is refused by name where it leads to the original's database by a link", async () => {
    const original = await start(folder("a"));
    symlinkSync(join(base, "a", "postgres"), join(folder("b"), "postgres"));
    await expect(start(join(base, "b"))).rejects.toThrow(`belongs to ${join(base, "a")}`);
    expect(isPidAlive(original.pid)).toBe(true);
  });

  it("never ends a server whose service holds a living lock, even when nothing else tells whose it is", async () => {
    const original = await start(folder("a"));
    symlinkSync(join(base, "a", "postgres"), join(folder("b"), "postgres"));
    rmSync(join(base, "a", "postgres.json"));
    await acquireLock(join(base, "a"), "service", 0);
    await expect(start(join(base, "b"))).rejects.toThrow(`in use by the service on ${join(base, "a")}`);
    expect(isPidAlive(original.pid)).toBe(true);
  });
});

describe("a moved data directory", { timeout: 60_000 }, () => {
  it("starts with its database, and ends the server that a killed start left running in it", async () => {
    // What is committed must be on the disk: a server whose folder was moved away ends in a crash.
    const left = await start(folder("a"), false);
    await run(left.url, "CREATE TABLE kept (n int)");
    renameSync(join(base, "a"), join(base, "b"));
    const { url } = await start(join(base, "b"));
    expect(isPidAlive(left.pid)).toBe(false);
    expect(await run(url, "SELECT n FROM kept")).toEqual([]);
  });

  it("says where its database lay when it is gone, and makes no empty one", async () => {
    const lost = join(base, "elsewhere", "postgres");
    writeClusterMemory(folder("a"), { port: 0, clusterDir: lost });
    await expect(start(join(base, "a"))).rejects.toThrow(`lay in ${lost}`);
    expect(existsSync(join(base, "a", "postgres"))).toBe(false);
  });
});

describe("a database outside of its data directory", () => {
  let original: string;
  let cluster: string;

  beforeEach(() => {
    original = folder("a");
    cluster = clusterOutside(original, base);
    mkdirSync(cluster, { recursive: true });
    markCluster(cluster, original);
    writeClusterMemory(original, { port: 0, clusterDir: cluster });
  });

  it("is found again", () => expect(findCluster(original, base)).toBe(cluster));

  it("is not taken by a copy, which is told what to do", () => {
    const copied = copy(original, join(base, "b"));
    const own = dirname(clusterOutside(copied, base));
    expect(() => findCluster(copied, base)).toThrow(new RegExp(`belongs to ${original}\\..* to ${own}`));
    copy(dirname(cluster), own);
    rmSync(join(copied, "postgres.json"));
    expect(findCluster(copied, base)).toBe(join(own, "postgres"));
    expect(findCluster(original, base)).toBe(cluster);
  });

  it("is taken along by a directory that was moved, and no longer that of one made in the old place", () => {
    const moved = join(base, "b");
    renameSync(original, moved);
    expect(findCluster(moved, base)).toBe(cluster);
    markCluster(cluster, moved);
    folder("a");
    expect(() => findCluster(original, base)).toThrow(`belongs to ${moved}`);
  });

  it("is refused where nothing tells whose it is", () => {
    const copied = copy(original, join(base, "b"));
    rmSync(join(cluster, "service-data-dir.json"));
    expect(() => findCluster(copied, base)).toThrow(/copied or moved from/);
    expect(findCluster(original, base)).toBe(cluster);
  });

  it("yields to one inside", () => {
    const inside = join(original, "postgres");
    mkdirSync(inside);
    expect(findCluster(original, base)).toBe(inside);
  });
});

describe("the database of a directory whose service got an empty one of its operator's", () => {
  it("is named, wherever it lies, and none is where there is none", () => {
    const [inside, outside, gone] = ["inside", "outside", "gone"].map((name) => folder(name));
    expect(unusedClusterNote(inside ?? "")).toBeUndefined();
    const cluster = folder("inside", "postgres");
    expect(unusedClusterNote(inside ?? "")).toContain(`What it had before is in ${cluster} still`);
    const elsewhere = folder("elsewhere", "postgres");
    writeClusterMemory(outside ?? "", { port: 1, clusterDir: elsewhere });
    expect(unusedClusterNote(outside ?? "")).toContain(`What it had before is in ${elsewhere} still`);
    writeClusterMemory(gone ?? "", { port: 1, clusterDir: join(base, "none") });
    expect(unusedClusterNote(gone ?? "")).toBeUndefined();
  });
});
