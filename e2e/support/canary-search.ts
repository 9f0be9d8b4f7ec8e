import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";

/**
 * Looks for a text in every row of every table, also within binary columns.
 * @returns the tables that hold it
 */
export async function findInDatabase(url: string, text: string): Promise<string[]> {
  const [found] = (await countInDatabase(url, [text])).values();
  return [...(found ?? new Map<string, number>()).keys()];
}

/**
 * The same for several texts, also within base64, in every schema there is.
 * @returns for each text the tables that hold it, by name, with the number of rows that do
 */
export async function countInDatabase(
  url: string,
  texts: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      `SELECT schemaname AS schema, tablename AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 2`,
    );
    const found = new Map(texts.map((text) => [text, new Map<string, number>()]));
    const patterns = JSON.stringify(texts.map((text) => ({ text, forms: formsOf(text).map((form) => `%${form}%`) })));
    for (const { schema, name } of tables) {
      const { rows } = await client.query<{ text: string; count: number }>(
        `SELECT p.text, count(*)::int AS count FROM "${schema}"."${name}" t
         JOIN jsonb_to_recordset($1::jsonb) AS p (text text, forms text[]) ON t::text ILIKE ANY (p.forms) GROUP BY 1`,
        [patterns],
      );
      for (const { text, count } of rows) found.get(text)?.set(name, count);
    }
    const { rows: large } = await client.query("SELECT 1 FROM pg_largeobject_metadata LIMIT 1");
    if (large.length > 0) throw new Error("There are large objects, in which nothing was looked for.");
    return found;
  } finally {
    await client.end();
  }
}

/** A text as it is, in hexadecimal digits, and within base64 wherever its bytes begin there. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const shifted = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // What stands at either end depends on the bytes beside it.
    return encoded.slice(shift === 0 ? 0 : shift + 1, (shift + bytes.length) % 3 === 0 ? undefined : -1);
  });
  return [text, bytes.toString("hex"), ...shifted];
}

/**
 * Looks for a text in every file below a directory.
 * @returns the files that hold it, by their path below the directory; also those whose name does
 */
export async function findInFiles(directory: string, text: string): Promise<string[]> {
  return (await findAllInFiles(directory, [text])).get(text) ?? [];
}

/** The same for several texts, with one look at each file: by text the files that hold it. */
export async function findAllInFiles(directory: string, texts: readonly string[]): Promise<Map<string, string[]>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const found = new Map<string, string[]>(texts.map((text) => [text, []]));
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      // Erased between the list and the look.
      if (error.code === "ENOENT") return Buffer.alloc(0);
      throw error;
    });
    for (const [text, paths] of found) {
      if (entry.name.includes(text) || bytes.includes(text)) paths.push(path.slice(directory.length + 1));
    }
  }
  return found;
}
