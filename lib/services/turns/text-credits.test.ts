import { expect, it } from "vitest";
import { createTestAccount } from "@/e2e/support/test-account";
import { inChunks, useUploadStage } from "@/e2e/support/upload-stage";
import { db } from "@/lib/db/pool";
import { storeUpload } from "@/lib/services/files/store-upload";
import { startProcess } from "@/lib/services/process/start-process";

useUploadStage();

/** Some 2,000 rows; most letters are ASCII, so that the encodings differ by little more than the width of a character. */
const TABLE = `Straße;Größe;Händler\n${"Königsallee 17;12,50;Müller und Söhne\n".repeat(2_000)}`;
const ENCODED: [encoding: string, bytes: Buffer][] = [
  ["UTF-8", Buffer.from(TABLE)],
  ["Windows-1252, without a word of it", Buffer.from(TABLE, "latin1")],
  ["UTF-16 with a mark", Buffer.from(`\ufeff${TABLE}`, "utf16le")],
  ["UTF-16 without one", Buffer.from(TABLE, "utf16le")],
];

async function startWith(credits: number, bytes: Buffer) {
  const { accountId, principal } = await createTestAccount({ credits });
  const given = { name: "sales.csv", contentType: "text/csv", stream: inChunks(bytes) };
  const file = await storeUpload(principal, given);
  await startProcess(principal, { prompt: "Sum up" }, [file], { requestId: "req_test" });
  const { rows } = await db().query<{ reserved: number }>(
    "SELECT credit_reserved AS reserved FROM accounts WHERE id = $1",
    [accountId],
  );
  return rows[0]?.reserved ?? 0;
}

it.each(ENCODED)("a text in %s is promised what the same text takes in UTF-8", async (_, bytes) => {
  const inUtf8 = await startWith(1_000, Buffer.from(TABLE));
  expect(inUtf8).toBeGreaterThan(5);
  expect(Math.abs((await startWith(1_000, bytes)) - inUtf8)).toBeLessThanOrEqual(1);
});

it.each(ENCODED)(
  "a text in %s that costs more than is there is refused at once, not accepted to fail",
  async (_, bytes) => {
    await expect(startWith(5, bytes)).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS" });
  },
);
