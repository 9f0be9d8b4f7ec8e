import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createCluster } from "@/scripts/support/postgres-cluster";

/** A disk that has room for folders, and for nothing that is written into a file. */
vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  const writeFileSync = () => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  return { ...real, writeFileSync };
});

it("says which file of the database has no room, and leaves nothing of it", async () => {
  const parent = mkdtempSync(join(tmpdir(), "service-cluster-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const place = { clusterDir: join(parent, "postgres"), initdb: "initdb", postgres: "postgres", pgCtl: "pg_ctl" };
  await expect(createCluster(place, "a password")).rejects.toThrow(
    /postgres-draft-\d+\.password cannot be written \(ENOSPC\)\. See that its disk has room/,
  );
  expect(readdirSync(parent)).toEqual([]);
});
