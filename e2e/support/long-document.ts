import { Client } from "pg";

import { textOf } from "@/e2e/support/model-server-answers";
import type { ModelRequest } from "@/e2e/support/model-server-journal";
import type { ModelOrders } from "@/e2e/support/model-server-orders";
import { shownPages } from "@/e2e/support/shown-pages";
import { type ScannedPage, scannedPdf } from "@/lib/ai/files/samples/sample-pdf";

/** The model of tests with long documents: it reads about 90,000 tokens at once. */
export const LONG_DOCUMENT_MODEL = "gpt-4o";

const LINE = "The harbour master wrote down each ship that came in, its cargo, its port and the name of its owner. ";
const LINES_PER_PAGE = 26;

/** A text file of so many pages, with form feeds between them and one numbered fact on each. */
export function longDocument(pages: number): File {
  const text = Array.from({ length: pages }, (_, index) => `Fact ${index + 1}.\n\n${LINE.repeat(LINES_PER_PAGE)}\n`);
  return new File([text.join("\f")], "harbour.txt", { type: "text/plain" });
}

/** A PDF of so many pages, each other of them a scan without text; the others hold one numbered fact each. */
export function halfScannedDocument(pages: number, scanOf: (page: number) => ScannedPage): File {
  const text = `${LINE.slice(0, 70)}\n`.repeat(LINES_PER_PAGE);
  const bytes = scannedPdf(
    Array.from({ length: pages }, (_, index) =>
      index % 2 === 1 ? scanOf(index + 1) : { text: `Fact ${index + 1}.\n${text}` },
    ),
  );
  return new File([new Uint8Array(bytes)], "harbour.pdf", { type: "application/pdf" });
}

/**
 * A model that counts the facts and the pictures it is shown, in a part, and adds up the counts of notes: its last answer is
 * right only when every page was read exactly once.
 * @param partMs how long it thinks about a part
 */
export function countingModel(partMs: number): (request: ModelRequest) => ModelOrders {
  return (request) => {
    const text = textOf(request.messages.findLast(({ role }) => role === "user"));
    const isPart = partNumber(request) !== null;
    const noted = [...text.matchAll(/Found (\d+) facts/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    const found = isPart ? (text.match(/Fact \d+\./g) ?? []).length + shownPages(request).length : noted;
    return { answer: `Found ${found} facts`, ...(isPart && { firstChunkMs: partMs }) };
  };
}

/** Which part a request is about, from 1; null for joins and the answer. */
export function partNumber({ lastUserText }: Pick<ModelRequest, "lastUserText">): number | null {
  const match = / note="part (\d+) of \d+/.exec(lastUserText.slice(0, 1_000));
  return match ? Number(match[1]) : null;
}

/** How often each part was asked about. */
export function countAsked(journal: readonly ModelRequest[]): Map<number, number> {
  const asked = new Map<number, number>();
  for (const request of journal) {
    const number = partNumber(request);
    if (number !== null) asked.set(number, (asked.get(number) ?? 0) + 1);
  }
  return asked;
}

/** What the database holds of a session's reading: numbers of the parts that are kept, and how many there are. */
export async function readKeptParts(
  databaseUrl: string,
  sessionId: string,
): Promise<{ kept: number[]; total: number }> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ number: number; isKept: boolean }>(
      `SELECT p.position + 1 AS number, p.output IS NOT NULL AS "isKept" FROM turn_parts p JOIN turns t ON t.id = p.turn_id
       WHERE t.session_id = $1 AND p.level = 0 ORDER BY p.position`,
      [sessionId],
    );
    return { kept: rows.filter(({ isKept }) => isKept).map(({ number }) => number), total: rows.length };
  } finally {
    await client.end();
  }
}
