import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type RunningPostgres, startPostgres } from "@/scripts/support/embedded-postgres";
import { freePort } from "@/scripts/support/free-port";
import { isServerReady, noteStamp, refuseUnseenHolder } from "@/scripts/support/leftover-postgres";
import { migrate } from "@/scripts/support/migrate";
import { createCluster } from "@/scripts/support/postgres-cluster";
import { giveToOwnUser } from "@/scripts/support/postgres-place";
import { readJson, writePrivateJson } from "@/scripts/support/private-file";
import { isPidAlive } from "@/scripts/support/process-identity";

vi.mock("@/scripts/support/free-port", async (original) => {
  const real = await original<typeof import("@/scripts/support/free-port")>();
  return { ...real, freePort: vi.fn(real.freePort) };
});

const password = "a password with spaces, ä and /@:";

let dataDir: string;
let running: RunningPostgres | undefined;

const start = async () => {
  running = await startPostgres({ dataDir, password });
  return running;
};

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "service-postgres-"));
  // The user that Postgres runs as must be able to pass.
  chmodSync(dataDir, 0o711);
});

afterEach(async () => {
  await running?.stop();
});

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function run(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const withoutSocket = (url: string) => url.replace(/\?.*/, "");

describe("the first start", { timeout: 60_000 }, () => {
  it("clears what a killed start left, and makes a database that sorts and folds UTF-8", async () => {
    mkdirSync(join(dataDir, "postgres-draft-1", "base"), { recursive: true });
    const { url } = await start();
    expect(existsSync(join(dataDir, "postgres-draft-1"))).toBe(false);
    expect((await migrate(url)).length).toBeGreaterThan(0);
    expect(await run(url, "SELECT upper('ä') AS letter, current_setting('server_encoding') AS encoding")).toEqual([
      { letter: "Ä", encoding: "UTF8" },
    ]);
    await run(url, "CREATE TABLE kept (n int)");
  });

  it("says what to do where the programs are there and the system cannot run them, as on Alpine", async () => {
    const initdb = join(dataDir, "initdb");
    writeFileSync(initdb, "#!/nowhere/ld-linux.so\n", { mode: 0o700 });
    const place = { initdb, postgres: initdb, pgCtl: initdb, clusterDir: join(dataDir, "none") };
    await expect(createCluster(place, password)).rejects.toThrow(/lacks the library \(glibc\).* Set DATABASE_URL/);
    await expect(createCluster({ ...place, initdb: join(dataDir, "gone") }, password)).rejects.toThrow("ENOENT");
  });

  it("tells of the program that makes the files too, so that it ends with a start that is stopped", async () => {
    const fresh = mkdtempSync(join(tmpdir(), "service-postgres-"));
    chmodSync(fresh, 0o711);
    const started: number[] = [];
    const ended: number[] = [];
    const onStart = (pid: number) => {
      started.push(pid);
      process.kill(pid, "SIGINT");
    };
    const watcher = { onStart, onEnd: (pid: number) => ended.push(pid) };
    await expect(startPostgres({ dataDir: fresh, password, watcher })).rejects.toThrow("could not make its database");
    expect(started).toHaveLength(1);
    expect(ended).toEqual(started);
    expect(readdirSync(fresh)).toEqual([]);
    rmSync(fresh, { recursive: true, force: true });
  });

  it("listens on loopback and in its own directory alone, and keeps the password out of the process list", async () => {
    const { url, pid } = await start();
    const [row] = await run(
      url,
      "SELECT current_setting('listen_addresses') AS hosts, current_setting('unix_socket_directories') AS sockets",
    );
    expect(row).toEqual({ hosts: "127.0.0.1", sockets: join(dataDir, "postgres") });
    expect(statSync(join(dataDir, "postgres")).mode & 0o077).toBe(0);
    if (process.platform === "linux") expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain("password");
    for (const each of [url, withoutSocket(url)]) {
      await expect(run(each.replace(/:[^:@]*@/, ":wrong@"), "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
    }
  });

  it("is spoken to by its socket, and by loopback where the path is too long for one", async () => {
    const long = mkdtempSync(join(tmpdir(), `service-postgres-${"long-".repeat(20)}`));
    chmodSync(long, 0o711);
    for (const [directory, address] of [
      [dataDir, null],
      [long, "127.0.0.1/32"],
    ] as const) {
      const { url, stop } = await startPostgres({ dataDir: directory, password });
      await migrate(url);
      expect(await run(url, "SELECT inet_client_addr()::text AS address")).toEqual([{ address }]);
      await stop();
    }
    rmSync(long, { recursive: true, force: true });
  });
});

describe("a later start", { timeout: 60_000 }, () => {
  it("uses the same port, and has nothing to migrate", async () => {
    const first = await start();
    await first.stop();
    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await migrate(second.url)).toEqual([]);
  });

  it("takes another port when the old one is taken", async () => {
    const { port } = readJson<{ port: number }>(join(dataDir, "postgres.json")) ?? { port: 0 };
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    const { url } = await start();
    expect(new URL(url).port).not.toBe(String(port));
    server.close();
  });

  it("takes another port when the old one is taken in the moment of the start, as by a copy that is started too", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    vi.mocked(freePort).mockResolvedValueOnce(port);
    const { url } = await start();
    expect(new URL(url).port).not.toBe(String(port));
    expect(readJson(join(dataDir, "postgres.json"))).toMatchObject({ port: Number(new URL(url).port) });
    server.close();
  });

  it("takes a copy of its files that lost owner and mode, as one by root's cp -r", async () => {
    await (await start()).stop();
    const clusterDir = join(dataDir, "postgres");
    chmodSync(clusterDir, 0o755);
    // Who is not root makes all copies their own.
    const { uid, gid } = process.getuid?.() === 0 ? { uid: 0, gid: 0 } : statSync(clusterDir);
    for (const name of readdirSync(clusterDir, { recursive: true, encoding: "utf8" })) {
      lchownSync(join(clusterDir, name), uid, gid);
    }
    lchownSync(clusterDir, uid, gid);
    const { url } = await start();
    expect(await run(url, "SELECT count(*)::int AS n FROM kept")).toHaveLength(1);
    expect(statSync(clusterDir).mode & 0o077).toBe(0);
  });

  it("does not follow a link in the place of its files: what it leads to keeps its owner", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "service-postgres-"));
    chmodSync(elsewhere, 0o755);
    const before = statSync(elsewhere);
    const clusterDir = join(elsewhere, "link");
    symlinkSync(elsewhere, clusterDir);
    giveToOwnUser({ initdb: "", postgres: "", pgCtl: "", clusterDir, user: { uid: 1, gid: 1 } });
    const { uid, mode } = statSync(elsewhere);
    expect({ uid, mode }).toEqual({ uid: before.uid, mode: before.mode });
    rmSync(elsewhere, { recursive: true, force: true });
  });

  it("recovers what was committed before a kill -9 of the server", async () => {
    const { url, pid, exited } = await start();
    await run(url, "INSERT INTO kept VALUES (1)");
    process.kill(pid, "SIGKILL");
    await exited;
    const again = await start();
    expect(await run(again.url, "SELECT n FROM kept")).toEqual([{ n: 1 }]);
  });

  it("waits for the database though the machine's clock is set meanwhile, as soon after the machine's own start", async () => {
    await (await start()).stop();
    vi.useFakeTimers({ toFake: ["Date"] });
    const setting = setInterval(() => vi.setSystemTime(Date.now() + 3_600_000), 1);
    const { url } = await start().finally(() => {
      clearInterval(setting);
      vi.useRealTimers();
    });
    expect(await run(url, "SELECT n FROM kept")).toEqual([{ n: 1 }]);
  });

  it("stops the server that a killed start left running", async () => {
    const left = await start();
    const client = new Client({ connectionString: left.url });
    client.on("error", () => {});
    await client.connect();
    const again = await start();
    expect(again.pid).not.toBe(left.pid);
    expect(isPidAlive(left.pid)).toBe(false);
    expect(await run(again.url, "SELECT n FROM kept")).toEqual([{ n: 1 }]);
  });

  it("is not kept away by a note that names somebody else's process", async () => {
    await (await start()).stop();
    writeFileSync(join(dataDir, "postgres", "postmaster.pid"), `${process.pid}\n/elsewhere\n0\n5432\n\n\n0 0\nready\n`);
    const { url } = await start();
    expect(await run(url, "SELECT n FROM kept")).toEqual([{ n: 1 }]);
    expect(isPidAlive(process.pid)).toBe(true);
  });

  it("is not kept away by the note at a socket that names somebody else's process, as after a crash of a container", async () => {
    const { url: before, pid, exited } = await start();
    process.kill(pid, "SIGKILL");
    await exited;
    const { port } = new URL(before);
    // Postgres pays no attention to its own parents, and to processes of other users.
    const { uid, gid } = statSync(join(dataDir, "postgres"));
    const other = spawn("sleep", ["600"], { uid, gid, stdio: "ignore" });
    for (const note of ["postmaster.pid", `.s.PGSQL.${port}.lock`]) {
      const path = join(dataDir, "postgres", note);
      writeFileSync(path, readFileSync(path, "utf8").replace(/^\d+/, String(other.pid)));
    }
    const { url } = await start().finally(() => other.kill());
    expect(await run(url, "SELECT n FROM kept")).toEqual([{ n: 1 }]);
  });

  it("does not take the note of a killed server for that of a new one with the same number", async () => {
    const { pid, exited } = await start();
    const clusterDir = join(dataDir, "postgres");
    expect(isServerReady(clusterDir, pid, undefined)).toBe(true);
    process.kill(pid, "SIGKILL");
    await exited;
    const before = noteStamp(clusterDir);
    expect(isServerReady(clusterDir, pid, before)).toBe(false);
    const again = await start();
    expect(isServerReady(clusterDir, again.pid, before)).toBe(true);
  });

  it("leaves files alone in which a server works that it cannot see, as one in another container", async () => {
    await (await start()).stop();
    const note = join(dataDir, "postgres", "postmaster.pid");
    writeFileSync(note, `${process.pid}\n/elsewhere\n0\n5432\n\n\n0 0\nready\n`);
    const unseen = createServer().listen(join(dataDir, "postgres", ".s.PGSQL.5432"));
    await once(unseen, "listening");
    await expect(start()).rejects.toThrow(/in use by a process that cannot be seen from here/);
    await expect(refuseUnseenHolder(dataDir)).rejects.toThrow(/in use by a process that cannot be seen from here/);
    expect(existsSync(note)).toBe(true);
    unseen.close();
    await once(unseen, "close");
    await expect(refuseUnseenHolder(dataDir)).resolves.toBeUndefined();
    expect(await run((await start()).url, "SELECT n FROM kept")).toEqual([{ n: 1 }]);
  });

  it("says what to do when the secrets no longer fit", async () => {
    const { url } = await start();
    await expect(migrate(url.replace(/:[^:@]*@/, ":wrong@"))).rejects.toThrow(/secrets\.json/);
  });

  it("says why when its files are damaged", async () => {
    const damaged = mkdtempSync(join(tmpdir(), "service-postgres-"));
    const clusterDir = join(damaged, "postgres");
    mkdirSync(clusterDir);
    writePrivateJson(join(damaged, "postgres.json"), { port: 0, clusterDir });
    await expect(startPostgres({ dataDir: damaged, password })).rejects.toThrow(/did not start.*postgres\.log/s);
    rmSync(damaged, { recursive: true, force: true });
  });
});

describe("the guard", () => {
  const sleeper = () => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const guard = () =>
    spawn(process.execPath, ["scripts/support/guard-process.mjs"], { stdio: ["pipe", "ignore", "inherit"] });
  const tell = (child: ChildProcess, message: object) => child.stdin?.write(`${JSON.stringify(message)}\n`);

  it("ends what is left when its parent is gone, the last first, and nothing that was taken off", async () => {
    const [first, second, removed] = [sleeper(), sleeper(), sleeper()];
    const order: string[] = [];
    first.once("exit", () => order.push("first"));
    second.once("exit", () => order.push("second"));
    const child = guard();
    for (const { pid } of [first, second, removed]) tell(child, { add: { pid, signals: ["SIGTERM"] } });
    tell(child, { remove: removed.pid });
    child.stdin?.end();
    await once(child, "exit");
    await Promise.all([first, second].map((ended) => ended.exitCode ?? ended.signalCode ?? once(ended, "exit")));
    expect(order).toEqual(["second", "first"]);
    expect(removed.exitCode ?? removed.signalCode).toBeNull();
    removed.kill("SIGKILL");
  });
});
