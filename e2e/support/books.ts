import { Client } from "pg";

/** What must hold of an account whatever happened to the processes (goals, trust). */
export interface Books {
  balance: number;
  reserved: number;
  /** Sum of the ledger; equals the balance. */
  ledger: number;
  turns: Record<string, number>;
  /** Turns with more than one charge. */
  doubleCharges: number;
  /** Ended turns that have not exactly one terminal event. */
  wrongTerminals: number;
  /** Sessions whose joined text after the last reset is not their output. */
  wrongTexts: number;
  /** Completed or failed turns with a callback but not exactly one delivery. */
  wrongDeliveries: number;
  openDeliveries: number;
}

/** Reads the books of an account. */
export async function readBooks(databaseUrl: string, accountId: string): Promise<Books> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(BOOKS, [accountId]);
    return rows[0].books as Books;
  } finally {
    await client.end();
  }
}

const BOOKS = `
  WITH t AS (SELECT * FROM turns WHERE account_id = $1),
  terminal AS (
    SELECT t.id, count(e.seq) FILTER (WHERE e.type IN ('completed', 'error')) AS n
    FROM t LEFT JOIN session_events e ON e.turn_id = t.id
    WHERE t.status NOT IN ('queued', 'running') GROUP BY t.id
  ),
  texts AS (
    SELECT t.id, t.output, coalesce((
      SELECT string_agg(e.data->>'delta', '' ORDER BY e.seq) FROM session_events e
      WHERE e.turn_id = t.id AND e.type = 'chunk'
        AND e.seq > coalesce((SELECT max(r.seq) FROM session_events r WHERE r.turn_id = t.id AND r.type = 'reset'), 0)), '') AS streamed
    FROM t WHERE t.status = 'completed'
  )
  SELECT json_build_object(
    'balance', a.credit_balance, 'reserved', a.credit_reserved,
    'ledger', (SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE account_id = a.id),
    'turns', (SELECT coalesce(json_object_agg(status, n), '{}') FROM (SELECT status, count(*) AS n FROM t GROUP BY status) s),
    'doubleCharges', (SELECT count(*) FROM (SELECT turn_id FROM ledger_entries WHERE account_id = a.id AND kind = 'charge'
                                            GROUP BY turn_id HAVING count(*) > 1) d),
    'wrongTerminals', (SELECT count(*) FROM terminal WHERE n <> 1),
    'wrongTexts', (SELECT count(*) FROM texts WHERE streamed <> output),
    'wrongDeliveries', (SELECT count(*) FROM t WHERE status IN ('completed', 'failed') AND callback_url IS NOT NULL
      AND (SELECT count(*) FROM webhook_deliveries d WHERE d.turn_id = t.id AND d.registration_id IS NULL) <> 1),
    'openDeliveries', (SELECT count(*) FROM webhook_deliveries WHERE account_id = a.id AND status = 'pending')
  ) AS books
  FROM accounts a WHERE a.id = $1`;
