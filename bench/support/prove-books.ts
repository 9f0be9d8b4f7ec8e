import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { findViolations } from "@/bench/support/books-rules";
import { readBooks } from "@/e2e/support/books";
import { withDatabase } from "@/e2e/support/test-cluster";

/** Ways in which a crash could break the books, each with the word that the check must find for it. */
const SABOTAGES: readonly [name: string, word: string, statement: string][] = [
  [
    "a turn that never ends",
    "have not ended",
    "UPDATE turns SET status = 'running' WHERE id = (SELECT min(id) FROM turns)",
  ],
  ["a balance beside the ledger", "ledger's sum", "UPDATE accounts SET credit_balance = credit_balance + 1"],
  ["a reservation that stays", "still reserved", "UPDATE accounts SET credit_reserved = 1"],
  [
    "a second charge",
    "charged twice",
    `DROP INDEX ledger_entries_turn_id_kind_key;
     INSERT INTO ledger_entries (id, account_id, turn_id, kind, amount, balance_after)
     SELECT 'led_second', account_id, turn_id, kind, amount, balance_after FROM ledger_entries WHERE kind = 'charge' LIMIT 1`,
  ],
  [
    "a lost terminal event",
    "terminal event",
    "DELETE FROM session_events WHERE (session_id, seq) = (SELECT session_id, seq FROM session_events WHERE type = 'completed' LIMIT 1)",
  ],
  [
    "a second terminal event",
    "terminal event",
    `INSERT INTO session_events (session_id, seq, turn_id, type, data)
     SELECT session_id, seq + 1, turn_id, type, data FROM session_events WHERE type = 'completed' LIMIT 1`,
  ],
  [
    "a chunk that is gone",
    "chunks joined",
    `DELETE FROM session_events e WHERE (session_id, seq) = (
       SELECT session_id, max(seq) FROM session_events WHERE type = 'chunk' GROUP BY session_id LIMIT 1)`,
  ],
  [
    "a lost delivery",
    "one delivery",
    "DELETE FROM webhook_deliveries WHERE id = (SELECT min(id) FROM webhook_deliveries)",
  ],
];

/**
 * Breaks copies of a database, each in one way, and says which ways the check of the books did not notice: an all-clear is
 * worth nothing from a check that cannot fail. Nobody may be connected to the database.
 */
export async function proveBooks(
  databaseUrl: string,
  adminUrl: string,
  accountId: string,
): Promise<{ tried: number; unnoticed: string[] }> {
  const unnoticed: string[] = [];
  const source = new URL(databaseUrl).pathname.slice(1);
  for (const [name, word, statement] of SABOTAGES) {
    const copy = `broken_${randomBytes(6).toString("hex")}`;
    await execute(adminUrl, `CREATE DATABASE ${copy} TEMPLATE ${source}`);
    const copyUrl = withDatabase(adminUrl, copy);
    await execute(copyUrl, statement);
    const violations = findViolations(await readBooks(copyUrl, accountId));
    if (!violations.some((violation) => violation.includes(word))) unnoticed.push(name);
    await execute(adminUrl, `DROP DATABASE ${copy}`);
  }
  return { tried: SABOTAGES.length, unnoticed };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
