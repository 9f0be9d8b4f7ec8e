import type { DataRequest, DataRequestKind, DataRequestState } from "@/lib/contracts/end-users";
import type { Queryable, Transaction } from "@/lib/db/pool";

/** Columns of a receipt, of a table called `d` joined with its export's file as `f`. */
export const DATA_REQUEST_COLUMNS = `
  d.id, d.kind, d.subject AS "endUserId", d.state, d.counts, d.created_at AS "createdAt", d.completed_at AS "completedAt",
  CASE WHEN f.expires_at > now() AND f.deleted_at IS NULL
    THEN json_build_object('sizeBytes', f.size, 'expiresAt', f.expires_at) END AS download`;

export const DATA_REQUEST_TABLES =
  "data_requests d LEFT JOIN stored_files f ON f.id = d.file_id AND f.project_id = d.project_id";

export interface DataRequestRow {
  id: string;
  kind: DataRequestKind;
  endUserId: string | null;
  state: DataRequestState;
  counts: Record<string, number>;
  createdAt: Date;
  completedAt: Date | null;
  download: { sizeBytes: number; expiresAt: string } | null;
}

export function toDataRequest({ createdAt, completedAt, download, ...row }: DataRequestRow): DataRequest {
  return {
    ...row,
    download: download && { ...download, expiresAt: new Date(download.expiresAt).toISOString() },
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  };
}

/** Adds to the counts of a receipt, in the transaction of what is counted. */
export async function addCounts(
  on: Queryable | Transaction,
  dataRequestId: string,
  counts: Record<string, number>,
): Promise<void> {
  if (Object.values(counts).every((count) => count === 0)) return;
  await (on as Queryable).query(
    `UPDATE data_requests SET counts = (
       SELECT jsonb_object_agg(key, total) FROM (
         SELECT key, sum(value::bigint) AS total
         FROM (SELECT * FROM jsonb_each_text(counts) UNION ALL SELECT * FROM jsonb_each_text($2::jsonb)) both_counts
         GROUP BY key HAVING sum(value::bigint) > 0) sums)
     WHERE id = $1`,
    [dataRequestId, JSON.stringify(counts)],
  );
}
