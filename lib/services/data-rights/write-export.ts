import type { PoolClient } from "pg";
import { db } from "@/lib/db/pool";
import { type FileOwner, storeUpload, type UploadDraft } from "@/lib/services/files/store-upload";

/** How long an export can be fetched. */
export const EXPORT_DAYS = 7;
/** What is fetched at once is in memory all together: so much of rows, and the one that exceeds it, which may hold 10 MB of text. */
const FETCH_BYTES = 1024 ** 2;
/** As much is gathered for the store; the line that exceeds it goes along. */
const CHUNK_CHARACTERS = 64 * 1024;
/** An export is as long as what is kept: no limit of uploads applies. */
const MAX_EXPORT_BYTES = 50 * 1024 ** 3;
/**
 * Between two rows the store may begin a file and take a part of it, each in its own time: longer than a transaction may say
 * nothing elsewhere (lib/db/pool.ts). This one keeps no locks that anybody waits for.
 */
const STORE_PATIENCE = "10min";
/** Of bytes in JSON. */
const HEX_PREFIX = "\\x";

type ExportRow = Record<string, unknown>;

/** Rows of one table: a statement that gives each as JSON in the column `row`. Never made of a client's text. */
export interface ExportQuery {
  table: string;
  text: string;
  values: readonly unknown[];
}

/** Of a row of a table as `t`. JSON that was kept as text, for its order counts, goes along as text: a row's own JSON would sort it. */
export function rowAsJson(table: string): string {
  return table === "turns"
    ? "to_jsonb(t) || jsonb_build_object('output_schema', t.output_schema::text)"
    : "to_jsonb(t)";
}

/** What an export is of. */
export interface ExportPlan {
  /** Of the file. */
  name: string;
  /** The first line. */
  head: Record<string, unknown>;
  queries: Iterable<ExportQuery>;
}

/**
 * Streams rows into a file of JSON lines in the store (the first says what it is, each further one holds a row and its
 * table), as of one moment. The file belongs to nobody yet: keep it or discard it.
 * @returns the file, and how many rows of each table are in it
 * @throws AppError SERVICE_UNAVAILABLE when the store fails; nothing is left then
 */
export async function writeExport(
  owner: FileOwner,
  plan: ExportPlan,
): Promise<{ draft: UploadDraft; counts: Record<string, number> }> {
  const counts: Record<string, number> = {};
  const stream = inChunks(exportLines(plan, counts));
  try {
    const draft = await storeUpload(owner, {
      name: plan.name,
      contentType: "text/plain",
      stream,
      maxBytes: MAX_EXPORT_BYTES,
    });
    return { draft, counts };
  } finally {
    // A store that fails may have read nothing of it, after its kind was told by its first lines: they hold a connection.
    await stream.return(undefined).catch(() => {});
  }
}

async function* exportLines(plan: ExportPlan, counts: Record<string, number>): AsyncGenerator<string> {
  yield JSON.stringify(plan.head);
  const client = await db().connect();
  let isOver = false;
  let broken: Error | undefined;
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query(`SET LOCAL idle_in_transaction_session_timeout = '${STORE_PATIENCE}'`);
    for (const query of plan.queries) {
      for await (const row of readRows(client, query)) {
        counts[query.table] = (counts[query.table] ?? 0) + 1;
        yield JSON.stringify({ table: query.table, row: inWords(query.table, row) });
      }
    }
    await client.query("COMMIT");
    isOver = true;
  } finally {
    // Also when nobody reads on: the next one to have the connection could write nothing.
    if (!isOver) {
      await client.query("ROLLBACK").catch((error: Error) => {
        broken = error;
      });
    }
    client.release(broken);
  }
}

/**
 * What receivers answered is kept as bytes, which the database gives as hex; people read it as the panel shows it. A schema for
 * an answer is JSON again.
 */
function inWords(table: string, row: ExportRow): ExportRow {
  const { response_body: bytes, output_schema: schema } = row;
  if (table === "turns" && typeof schema === "string") return { ...row, output_schema: JSON.parse(schema) };
  if (table !== "webhook_attempts" || typeof bytes !== "string") return row;
  return { ...row, response_body: Buffer.from(bytes.slice(HEX_PREFIX.length), "hex").toString("utf8") };
}

async function* readRows(client: PoolClient, { text, values }: ExportQuery): AsyncGenerator<ExportRow> {
  await client.query(`DECLARE export_rows NO SCROLL CURSOR FOR ${text}`, [...values]);
  for (;;) {
    const { rows } = await client.query<{ row: ExportRow }>("SELECT row FROM fetch_some('export_rows', $1) AS row", [
      FETCH_BYTES,
    ]);
    for (const { row } of rows) yield row;
    if (rows.length === 0) break;
  }
  await client.query("CLOSE export_rows");
}

async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let chunk = "";
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(chunk);
    chunk = "";
  }
  if (chunk !== "") yield Buffer.from(chunk);
}
