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

/** Ends alerts and raises others, as things stand. Not safe beside itself: the function of each watch runs once at a time. */
export async function runWatch<Found extends object>({ endPast, findNew, alertOf }: Watch<Found>): Promise<Watched> {
  return inTransaction(async (tx) => {
    const ended = await tx.query(...endPast);
    const { rows } = await tx.query<Found>(...findNew);
    return { raised: await raiseAlerts(tx, rows.map(alertOf)), ended: ended.rowCount ?? 0 };
  });
}
