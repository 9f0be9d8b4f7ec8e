import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { countWaits } from "@/e2e/support/count-waits";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { inTransaction } from "@/lib/db/pool";
import { writeExport } from "@/lib/services/data-rights/write-export";
import { fileStoreOf } from "@/lib/storage/select-store";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "write-export-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir, STORAGE_URL: "https://files.example.test" }));
afterAll(() => rm(dataDir, { recursive: true }));

/** Exports so many rows of that length, from a table of nobody's. */
async function exportRows(count: number, characters: number) {
  const { principal } = await createTestAccount();
  const text =
    "SELECT jsonb_build_object('n', n, 'text', repeat('x', $2::int)) AS row FROM generate_series(1, $1::int) n";
  const queries = [{ table: "numbers", text, values: [count, characters] }];
  let written: Awaited<ReturnType<typeof writeExport>> | undefined;
  const { statements } = await countWaits(async () => {
    written = await writeExport(principal, { name: "export.jsonl", head: { format: "test" }, queries });
  });
  const bytes = written && (await fileStoreOf(written.draft.store).read(written.draft.storageKey));
  if (!written || !bytes) throw new Error("Nothing was written.");
  const lines = (await readText(bytes.stream)).trim().split("\n");
  return {
    counts: written.counts,
    statements,
    rows: lines.slice(1).map((line) => JSON.parse(line).row as { n: number; text: string }),
  };
}

it("asks the database for many small rows at once, and writes each once, in order", async () => {
  const { rows, counts, statements } = await exportRows(3_000, 100);
  expect(counts).toEqual({ numbers: 3_000 });
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 3_000 }, (_, index) => index + 1));
  expect(statements.length).toBeLessThan(15);
});

it.each([
  ["a large row by itself", 2_000_000, 1],
  ["as many as come to a megabyte", 400_000, 3],
])("fetches %s, so that few are in memory", async (_what, characters, most) => {
  const lengths = await inTransaction(async (tx) => {
    const text = `DECLARE opened CURSOR FOR SELECT jsonb_build_object('text', repeat('x', ${characters})) AS row FROM generate_series(1, 5)`;
    await tx.query(text);
    const all: number[] = [];
    do all.push((await tx.query("SELECT FROM fetch_some('opened', 1048576)")).rowCount ?? 0);
    while (all.at(-1));
    return all;
  });
  expect(Math.max(...lengths)).toBe(most);
  expect(lengths.reduce((sum, each) => sum + each, 0)).toBe(5);
  expect((await exportRows(5, characters)).rows.map(({ text }) => text.length)).toEqual(Array(5).fill(characters));
});
