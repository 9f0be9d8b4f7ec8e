import type { DataRequest } from "@/lib/contracts/end-users";
import { db } from "@/lib/db/pool";
import { type CursorPage, type CursorRequest, decodeTimeCursor, makeCursorPage } from "@/lib/domain/cursor";
import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import {
  DATA_REQUEST_COLUMNS,
  DATA_REQUEST_TABLES,
  type DataRequestRow,
  toDataRequest,
} from "@/lib/services/data-rights/data-request-row";
import { digestsOfSubject } from "@/lib/services/data-rights/digest-subject";

type Scope = Pick<Principal, "projectId">;

/**
 * The project's receipts of exports and erasures, newest first.
 * @param request.endUserId only those of this end user, also of one that was erased
 */
export async function listDataRequests(
  { projectId }: Scope,
  { limit, cursor, endUserId }: CursorRequest & { endUserId?: string | undefined },
): Promise<CursorPage<DataRequest>> {
  const [createdAt, id] = cursor === undefined ? [null, null] : decodeTimeCursor(cursor);
  const digests = endUserId === undefined ? null : digestsOfSubject(projectId, endUserId);
  const { rows } = await db().query<DataRequestRow>(
    `SELECT ${DATA_REQUEST_COLUMNS} FROM ${DATA_REQUEST_TABLES}
     WHERE d.project_id = $1 AND ($3::text[] IS NULL OR d.subject_digest = ANY ($3))
       AND ($4::timestamptz IS NULL OR (d.created_at, d.id) < ($4::timestamptz, $5::text))
     ORDER BY d.created_at DESC, d.id DESC LIMIT $2`,
    [projectId, limit + 1, digests, createdAt, id],
  );
  return makeCursorPage(rows, limit, toDataRequest, (row) => [row.createdAt.toISOString(), row.id]);
}

/** @throws AppError NOT_FOUND also for another project's receipt */
export async function getDataRequest({ projectId }: Scope, id: string): Promise<DataRequest> {
  const { rows } = await db().query<DataRequestRow>(
    `SELECT ${DATA_REQUEST_COLUMNS} FROM ${DATA_REQUEST_TABLES} WHERE d.project_id = $1 AND d.id = $2`,
    [projectId, id],
  );
  if (!rows[0]) throw notFound("The request");
  return toDataRequest(rows[0]);
}
