import { mkdtempSync, rmSync } from "node:fs";
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
