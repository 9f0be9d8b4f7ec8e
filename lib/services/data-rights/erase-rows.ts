import { db, inTransaction, type Transaction } from "@/lib/db/pool";

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
 * By which column a table's rows are deliveries or belong to one. Those are held first, in the order that
 * lib/services/deliveries/lock-deliveries.ts tells.
 */
const DELIVERY_OF: Partial<Record<string, string>> = {
  webhook_deliveries: "t.id",
  webhook_attempts: "t.delivery_id",
};

/** Their guards let erasures through that say so, and nothing else. */
const APPEND_ONLY = new Set(["audit_log", "ledger_entries"]);

/**
 * Deletes rows, or changes them, in batches of a transaction each, until the filter finds none.
 * @param inBatch runs in the transaction of each batch, with the number of rows in it and what is returned of them
 * @returns how many rows there were
 */
export async function eraseRows(
  filter: RowFilter,
  inBatch: (tx: Transaction, rows: number, returned: string[]) => Promise<void> = async () => {},
): Promise<number> {
  const { table, most = Number.POSITIVE_INFINITY } = filter;
  const text = batchStatement(filter);
  for (let total = 0; ; ) {
    const rows = await inTransaction(async (tx) => {
      if (APPEND_ONLY.has(table)) await tx.query("SET LOCAL service.erasing = 'on'");
      const { rows: changed } = await tx.query<{ returned: string }>(text, [...filter.values]);
      const returned = changed.map((row) => row.returned);
      if (changed.length > 0) await inBatch(tx, changed.length, returned);
      return changed.length;
    });
    total += rows;
    if (total >= most || (rows === 0 && !(await isAnyLeft(filter)))) return total;
  }
}

function batchStatement({ table, where, set, returning = "NULL" }: RowFilter): string {
  const change = set ? `UPDATE ${table} t SET ${set}` : `DELETE FROM ${table} t`;
  const batchOf = (column: string) => `SELECT ${column} FROM ${table} t WHERE ${where} LIMIT ${BATCH_ROWS}`;
  const delivery = DELIVERY_OF[table];
  const [before, batch] = delivery
    ? [
        `WITH held AS MATERIALIZED (
           SELECT d.id FROM webhook_deliveries d WHERE d.id IN (${batchOf(delivery)}) ORDER BY d.id FOR UPDATE)`,
        `${delivery} IN (SELECT id FROM held) AND (${where})`,
      ]
    : ["", `t.ctid IN (${batchOf("t.ctid")})`];
  return `${before} ${change} WHERE ${batch} RETURNING ${returning} AS returned`;
}

/** A row that somebody else changes at that moment is waited for, and then is in another place than the batch says. */
async function isAnyLeft({ table, where, values }: RowFilter): Promise<boolean> {
  const { rowCount } = await db().query(`SELECT 1 FROM ${table} t WHERE ${where} LIMIT 1`, [...values]);
  return rowCount !== 0;
}
