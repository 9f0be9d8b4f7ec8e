import { inTransaction } from "@/lib/db/pool";
import { type NewAlert, raiseAlerts } from "@/lib/services/alerts/raise-alerts";

/** Of an alert `t`: whether it still stands, and nobody has put it away. */
export const IS_OPEN = "t.resolved_at IS NULL AND t.dismissed_at IS NULL";

/** A statement with its parameters. */
type Asked = [text: string, values?: unknown[]];

/** A look at how things stand. */
interface Watch<Found> {
  /** Ends the alerts of what is so no longer. */
  endPast: Asked;
  /** Finds what is so, and was not told of yet. */
  findNew: Asked;
  alertOf: (found: Found) => NewAlert;
}

/** What came of a look. */
export interface Watched {
  raised: number;
  ended: number;
}

/** Nothing else of an alert says that it is told of already: of two looks at once each would raise it, and each be mailed. */
const ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('watches', 0))";

/**
 * Ends alerts and raises others, as things stand. Safe beside itself: its function runs once at a time, but a server that stood still
 * for longer than its lease goes on beside the one that took its place.
 */
export async function runWatch<Found extends object>({ endPast, findNew, alertOf }: Watch<Found>): Promise<Watched> {
  return inTransaction(async (tx) => {
    await tx.query(ONE_AT_A_TIME);
    const ended = await tx.query(...endPast);
    const { rows } = await tx.query<Found>(...findNew);
    return { raised: await raiseAlerts(tx, rows.map(alertOf)), ended: ended.rowCount ?? 0 };
  });
}
