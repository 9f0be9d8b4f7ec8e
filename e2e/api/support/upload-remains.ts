import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect } from "playwright/test";
import { suite } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";

/** Waits until nothing is left of a refused upload: no session, no turn, no row of a file, no bytes, no credits held. */
export async function expectNothingLeft(account: TestAccount): Promise<void> {
  const nothing = { sessions: 0, turns: 0, files: 0, uploads: 0, outbox: 0, reserved: 0, orphans: [] };
  await expect.poll(() => findRemains(account), { timeout: 15_000 }).toEqual(nothing);
}

async function findRemains({ accountId, projectId }: TestAccount) {
  const where = { projectId };
  const [sessions, turns, files, uploads, outbox, account] = await Promise.all([
    prisma().session.count({ where }),
    prisma().turn.count({ where }),
    prisma().storedFile.count({ where }),
    prisma().pendingUpload.count({ where }),
    prisma().outboxEvent.count({ where: { data: { path: ["accountId"], equals: accountId } } }),
    prisma().account.findUniqueOrThrow({ where: { id: accountId } }),
  ]);
  return { sessions, turns, files, uploads, outbox, reserved: account.creditReserved, orphans: await findOrphans() };
}

/** Bytes on disk that no row knows of: whoever is uploading beside this test has a row. */
async function findOrphans(): Promise<string[]> {
  const folder = join(suite.variables.DATA_DIR ?? "", "files");
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const keys = paths.map((path) => basename(path, ".part"));
  const [pending, stored] = await Promise.all([
    prisma().pendingUpload.findMany({ where: { storageKey: { in: keys } }, select: { storageKey: true } }),
    prisma().storedFile.findMany({ where: { storageKey: { in: keys } }, select: { storageKey: true } }),
  ]);
  const known = new Set([...pending, ...stored].map(({ storageKey }) => storageKey));
  // What was discarded while we looked is gone by now.
  return paths.filter((path) => !known.has(basename(path, ".part")) && existsSync(path));
}
