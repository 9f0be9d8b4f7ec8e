import { inTransaction, type Transaction } from "@/lib/db/pool";

const BATCH_ROWS = 1_000;

/** Which rows of a table: a condition on the table as `t`, with its values. Never made of a client's text. */
export interface RowFilter {
  table: string;
  where: string;
  values: readonly unknown[];
  /** What the columns are set to; absent: the rows are deleted. The filter must not match the row afterwards. */
  set?: string;
  /** Stops after about as many rows; absent: none is left. */
  most?: number;
}

/**
 * Deletes rows, or changes them, in batches of a transaction each, until the filter finds none.
 * @param inBatch runs in the transaction of each batch, with the number of rows in it
 * @returns how many rows there were
 */
export async function eraseRows(
  { table, where, values, set, most = Number.POSITIVE_INFINITY }: RowFilter,
  inBatch: (tx: Transaction, rows: number) => Promise<void> = async () => {},
): Promise<number> {
  const batch = `t.ctid IN (SELECT t.ctid FROM ${table} t WHERE ${where} LIMIT ${BATCH_ROWS})`;
  const text = set ? `UPDATE ${table} t SET ${set} WHERE ${batch}` : `DELETE FROM ${table} t WHERE ${batch}`;
  for (let total = 0; ; ) {
    const rows = await inTransaction(async (tx) => {
      // Its guard lets erasures through that say so, and nothing else.
      if (table === "audit_log") await tx.query("SET LOCAL service.erasing = 'on'");
      const { rowCount } = await tx.query(text, [...values]);
      if (rowCount) await inBatch(tx, rowCount);
      return rowCount ?? 0;
    });
    total += rows;
    if (rows === 0 || total >= most) return total;
  }
}
