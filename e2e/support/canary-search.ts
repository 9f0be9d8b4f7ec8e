import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";

/**
 * Looks for a text in every row of every table, also within binary columns.
 * @returns the tables that hold it
 */
export async function findInDatabase(url: string, text: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    const found: string[] = [];
    const patterns = [`%${text}%`, `%${Buffer.from(text).toString("hex")}%`];
    for (const { name } of tables) {
      const { rows } = await client.query(`SELECT 1 FROM "${name}" t WHERE t::text ILIKE ANY ($1) LIMIT 1`, [patterns]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}

/**
 * Looks for a text in every file below a directory.
 * @returns the files that hold it, by their path below the directory; also those whose name does
 */
export async function findInFiles(directory: string, text: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if (entry.name.includes(text) || (await readFile(path)).includes(text))
      found.push(path.slice(directory.length + 1));
  }
  return found;
}
