import type { Transaction } from "@/lib/db/pool";
import type { AlertKind } from "@/lib/domain/alert-kinds";
import { newId } from "@/lib/domain/ids";

/** An alert that a look at how things stand found. */
export interface NewAlert {
  accountId: string;
  /** Absent: it is of the whole account. */
  projectId?: string;
  kind: AlertKind;
  /** What of the project it is about, such as a key. */
  subjectId?: string | null;
  message: string;
  /** What tells it from an earlier alert of its kind. */
  data?: Record<string, unknown>;
}

/** But for accounts that were erased since they were found. */
const RAISE = `
  INSERT INTO alerts (id, account_id, project_id, kind, subject_id, message, data)
  SELECT n.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[])
    n (id, account_id, project_id, kind, subject_id, message, data)
  JOIN accounts a ON a.id = n.account_id FOR KEY SHARE OF a`;

/** @returns how many were raised: those of accounts that are still there */
export async function raiseAlerts(tx: Transaction, alerts: readonly NewAlert[]): Promise<number> {
  if (alerts.length === 0) return 0;
  const { rowCount } = await tx.query(RAISE, [
    alerts.map(() => newId("alert")),
    alerts.map(({ accountId }) => accountId),
    alerts.map(({ projectId }) => projectId ?? null),
    alerts.map(({ kind }) => kind),
    alerts.map(({ subjectId }) => subjectId ?? null),
    alerts.map(({ message }) => message),
    alerts.map(({ data }) => (data ? JSON.stringify(data) : null)),
  ]);
  return rowCount ?? 0;
}
