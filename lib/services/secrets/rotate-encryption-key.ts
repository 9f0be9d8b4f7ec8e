import { db, inTransaction } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import { openText, sealText } from "@/lib/domain/sealed-text";
import { env } from "@/lib/env";
import { OPERATOR, writeAudit } from "@/lib/services/accounts/record-audit";
import { SEALED_COLUMNS, type SealedColumn } from "@/lib/services/secrets/sealed-columns";

/** How many sealed texts there were: sealed anew, under the new key before, and readable by neither key. */
export interface RotationCount {
  rotated: number;
  alreadyNew: number;
  unreadable: number;
}

export interface KeyRotation extends RotationCount {
  /** By table and column, "users.totp_secret_encrypted". */
  columns: Record<string, RotationCount>;
}

const BATCH_ROWS = 500;

/**
 * Seals everything anew that ENCRYPTION_KEY_PREVIOUS sealed, with ENCRYPTION_KEY. In batches, each of its own: what is
 * done stays done, so an interrupted run is simply started again. A text that changes meanwhile is left as it then is:
 * whoever changed it sealed it with the new key. Safe while the service runs.
 * @throws AppError VALIDATION_FAILED when one of the keys is not set
 */
export async function rotateEncryptionKey(batchRows: number = BATCH_ROWS): Promise<KeyRotation> {
  const { ENCRYPTION_KEY: to, ENCRYPTION_KEY_PREVIOUS: from } = env();
  if (!to || !from) {
    throw new AppError(
      "VALIDATION_FAILED",
      "Set ENCRYPTION_KEY to the new key and ENCRYPTION_KEY_PREVIOUS to the one before it.",
    );
  }
  const total: KeyRotation = { rotated: 0, alreadyNew: 0, unreadable: 0, columns: {} };
  for (const column of SEALED_COLUMNS) {
    const count = await rotateColumn(column, { to, from }, batchRows);
    total.columns[`${column.table}.${column.column}`] = count;
    addTo(total, count);
  }
  const { columns: _columns, ...after } = total;
  const line = { accountId: null, action: "encryption-key.rotate", subject: "service", after };
  await inTransaction((tx) => writeAudit(tx, OPERATOR, line));
  return total;
}

interface Keys {
  to: string;
  from: string;
}

interface SealedRow {
  keys: string[];
  sealed: string;
}

async function rotateColumn(column: SealedColumn, keys: Keys, batchRows: number): Promise<RotationCount> {
  const count: RotationCount = { rotated: 0, alreadyNew: 0, unreadable: 0 };
  let after: string[] | null = null;
  for (;;) {
    const rows: SealedRow[] = await readBatch(column, after, batchRows);
    const changes: { row: SealedRow; sealed: string }[] = [];
    for (const row of rows) {
      const plain = open(row.sealed, keys.to) === null ? open(row.sealed, keys.from) : undefined;
      if (plain === undefined) count.alreadyNew += 1;
      else if (plain === null) count.unreadable += 1;
      else changes.push({ row, sealed: sealText(plain, keys.to) });
    }
    count.rotated += await writeBatch(column, changes);
    if (rows.length < batchRows) return count;
    after = rows.at(-1)?.keys ?? null;
  }
}

/** Names are those of SEALED_COLUMNS alone. */
async function readBatch({ table, keys, column, isJson }: SealedColumn, after: string[] | null, batchRows: number) {
  const { rows } = await db().query<SealedRow>(
    `SELECT ARRAY[${keys.join(", ")}] AS keys, ${textOf(column, isJson)} AS sealed FROM ${table}
     WHERE ${column} IS NOT NULL AND ($1::text[] IS NULL OR (${keys.join(", ")}) > (${keys.map((_key, index) => `$1[${index + 1}]`).join(", ")}))
     ORDER BY ${keys.join(", ")} LIMIT $2`,
    [after, batchRows],
  );
  return rows;
}

async function writeBatch(
  { table, keys, column, isJson }: SealedColumn,
  changes: { row: SealedRow; sealed: string }[],
): Promise<number> {
  if (changes.length === 0) return 0;
  const names = keys.map((key) => `n_${key}`);
  const { rowCount } = await db().query(
    `UPDATE ${table} t SET ${column} = ${isJson ? "to_jsonb(n.new_sealed)" : "n.new_sealed"}
     FROM unnest(${[...names, "", ""].map((_name, index) => `$${index + 1}::text[]`).join(", ")})
       AS n(${names.join(", ")}, old_sealed, new_sealed)
     WHERE ${keys.map((key) => `t.${key} = n.n_${key}`).join(" AND ")} AND ${textOf(`t.${column}`, isJson)} = n.old_sealed`,
    [
      ...keys.map((_key, index) => changes.map(({ row }) => row.keys[index])),
      changes.map(({ row }) => row.sealed),
      changes.map(({ sealed }) => sealed),
    ],
  );
  return rowCount ?? 0;
}

const textOf = (column: string, isJson = false) => (isJson ? `${column} #>> '{}'` : column);

/** Null when the key is another. */
function open(sealed: string, key: string): string | null {
  try {
    return openText(sealed, key);
  } catch {
    return null;
  }
}

function addTo(total: RotationCount, count: RotationCount): void {
  total.rotated += count.rotated;
  total.alreadyNew += count.alreadyNew;
  total.unreadable += count.unreadable;
}
