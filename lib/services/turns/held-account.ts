/**
 * How a statement that holds the rows of accounts (`FOR NO KEY UPDATE`) writes them: `INSERT INTO accounts (${HELD_ACCOUNT})
 * SELECT … ${WRITE_HELD_ACCOUNT}`, with the whole new sums. Nothing is ever inserted: the rows are there, and held.
 *
 * An UPDATE would look for the row as it was when the statement began. Was it changed since, and does anybody keep it from being
 * deleted (`FOR KEY SHARE`, as `assertStillMay` does for as long as a change in the panel takes), Postgres queues for that earlier
 * version once more. Whoever is before it in that queue waits for what this statement holds already: a deadlock, so that
 * of two calls one ended as a 500 whenever somebody saved something in the panel meanwhile. This goes to the newest version.
 */
export const HELD_ACCOUNT = "id, company_name, credit_balance, credit_reserved";

/** See `HELD_ACCOUNT`. */
export const WRITE_HELD_ACCOUNT = `
  ON CONFLICT (id) DO UPDATE SET credit_balance = excluded.credit_balance, credit_reserved = excluded.credit_reserved`;
