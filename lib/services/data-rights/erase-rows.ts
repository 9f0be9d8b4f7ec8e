import { inTransaction, type Transaction } from "@/lib/db/pool";

const BATCH_ROWS = 1_000;

/** Which rows of a table: a condition on the table as `t`, with its values. Never made of a client's text. */
export interface RowFilter {
  table: string;
  where: string;
  values: readonly unknown[];
  /** What the columns are set to; absent: the rows are deleted. The filter must not match the row afterwards. */
  set?: string;
  /** A column of text that each batch hands on of its rows. */
  returning?: string;
  /** Stops after about as many rows; absent: none is left. */
  most?: number;
}

/**
 * Deletes rows, or changes them, in batches of a transaction each, until the filter finds none.
 * @param inBatch runs in the transaction of each batch, with the number of rows in it and what is returned of them
 * @returns how many rows there were
 */
export async function eraseRows(
  { table, where, values, set, returning = "NULL", most = Number.POSITIVE_INFINITY }: RowFilter,
  inBatch: (tx: Transaction, rows: number, returned: string[]) => Promise<void> = async () => {},
): Promise<number> {
  const batch = `t.ctid IN (SELECT t.ctid FROM ${table} t WHERE ${where} LIMIT ${BATCH_ROWS})`;
  const change = set ? `UPDATE ${table} t SET ${set}` : `DELETE FROM ${table} t`;
  const text = `${change} WHERE ${batch} RETURNING ${returning} AS returned`;
  for (let total = 0; ; ) {
    const rows = await inTransaction(async (tx) => {
      // Its guard lets erasures through that say so, and nothing else.
      if (table === "audit_log") await tx.query("SET LOCAL service.erasing = 'on'");
      const { rows: changed } = await tx.query<{ returned: string }>(text, [...values]);
      const returned = changed.map((row) => row.returned);
      if (changed.length > 0) await inBatch(tx, changed.length, returned);
      return changed.length;
    });
    total += rows;
    if (rows === 0 || total >= most) return total;
  }
}
