import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useDatabase } from "@/e2e/support/service-database";
import { parseEnv } from "@/lib/env";
import { withDatabase } from "@/scripts/support/admin-database";
import * as dataDirs from "@/scripts/support/data-dir";
import { acquireLock, type ServiceLock } from "@/scripts/support/service-lock";

// They are a process' own, which ends with its command; here several run in one.
vi.mock("@/lib/db/pool", () => ({ closePools: async () => {} }));

const database = useDatabase();
let dataDir: string;
let service: ServiceLock;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "admin-database-"));
  dataDirs.openDataDir(dataDir);
  const taken = await acquireLock(dataDir, "service", 0);
  if (!("release" in taken)) throw new Error("The directory is taken.");
  service = taken;
});
afterEach(() => {
  service.release();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(dataDir, { recursive: true });
});

const run = (settings: Record<string, string> = {}) =>
  withDatabase(parseEnv({ DATA_DIR: dataDir, ...settings }), async () => ({
    database: process.env.DATABASE_URL,
    links: process.env.APP_URL,
  }));
const own = () => ({
  pid: process.pid,
  url: "http://localhost:3100",
  databaseUrl: database.url,
  hasLocalReceivers: false,
});
const OTHER = {
  pid: 1,
  url: "http://localhost:3999",
  databaseUrl: "postgres://nobody@127.0.0.1:1/gone",
  hasLocalReceivers: false,
};

describe("a command without a database", () => {
  const unknown = () => {
    const url = new URL(database.url);
    url.pathname = "/mistyped";
    return url.href;
  };

  it("says so and makes none: of an empty one any check would say that all is well", async () => {
    const settings = { DATABASE_URL: unknown() };
    const words = /^DATABASE_URL: there is no database "mistyped"\. Set its name right; a new one is made by /;
    await expect(run(settings)).rejects.toThrow(words);
    await expect(run(settings), "the first try made none").rejects.toThrow(words);
  });

  it("leaves alone one that is another program's", async () => {
    const { href } = Object.assign(new URL(database.url), { pathname: "/postgres" });
    await expect(run({ DATABASE_URL: href })).rejects.toThrow(
      /^DATABASE_URL: the database "postgres" is not one of this service\. /,
    );
  });

  it("says so of a data directory in which nothing ever ran", async () => {
    service.release();
    await expect(run()).rejects.toThrow(/ has no database: give this command the DATA_DIR or DATABASE_URL of the /);
    expect(existsSync(join(dataDir, "postgres")), "none was made").toBe(false);
    expect(await acquireLock(dataDir, "service", 0), "the directory is free again").toHaveProperty("release");
  });
});

describe("a command beside a service", () => {
  beforeEach(() => vi.stubEnv("APP_URL", ""));

  it("waits for the note of one that has just begun, where another's is there that was killed", async () => {
    vi.spyOn(dataDirs, "readRuntimeNote").mockReturnValueOnce(OTHER).mockImplementation(own);
    expect(await run()).toEqual({ database: database.url, links: "http://localhost:3100" });
  });

  it("leads its links to the service that has its database, and to no other", async () => {
    const note = vi.spyOn(dataDirs, "readRuntimeNote").mockReturnValue(OTHER);
    expect(await run({ DATABASE_URL: database.url })).toEqual({ database: database.url, links: "" });
    note.mockImplementation(own);
    expect((await run({ DATABASE_URL: database.url })).links).toBe("http://localhost:3100");
  });

  it("leads its links to where the settings say", async () => {
    vi.stubEnv("APP_URL", "https://ai.example.com");
    vi.spyOn(dataDirs, "readRuntimeNote").mockImplementation(own);
    expect((await run()).links).toBe("https://ai.example.com");
  });
});
