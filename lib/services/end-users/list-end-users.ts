import type { EndUserItem } from "@/lib/contracts/end-users";
import { escapeLike } from "@/lib/db/escape-like";
import { db } from "@/lib/db/pool";
import {
  type CursorPage,
  type CursorRequest,
  decodeCursor,
  decodeTimeCursor,
  makeCursorPage,
} from "@/lib/domain/cursor";
import type { Principal } from "@/lib/domain/principal";
import { END_USER_FIGURES, type EndUserRow, toEndUser } from "@/lib/services/end-users/end-user-row";

export interface EndUserListRequest extends CursorRequest {
  /** Only those whose id begins so. */
  search?: string | undefined;
}

type Scope = Pick<Principal, "projectId">;

/** The project's end users with what they have used: the last seen first, those of a search by their id. */
export async function listEndUsers(scope: Scope, request: EndUserListRequest): Promise<CursorPage<EndUserItem>> {
  const { limit, search } = request;
  if (search !== undefined && search !== "") {
    return makeCursorPage(await searchById(scope, request, search), limit, toEndUser, (row) => [
      row.endUserId,
      row.endUserId,
    ]);
  }
  const position = (row: EndUserRow) => [row.lastSeenAt.toISOString(), row.endUserId] as const;
  return makeCursorPage(await listByLastSeen(scope, request), limit, toEndUser, position);
}

async function listByLastSeen({ projectId }: Scope, { limit, cursor }: CursorRequest): Promise<EndUserRow[]> {
  const [seenAt, id] = cursor === undefined ? [null, null] : decodeTimeCursor(cursor);
  const { rows } = await db().query<EndUserRow>(
    `SELECT ${END_USER_FIGURES} FROM (
       SELECT * FROM end_users
       WHERE project_id = $1 AND ($3::timestamptz IS NULL OR (last_seen_at, end_user_id) < ($3::timestamptz, $4::text))
       ORDER BY last_seen_at DESC, end_user_id DESC LIMIT $2) e
     ORDER BY e.last_seen_at DESC, e.end_user_id DESC`,
    [projectId, limit + 1, seenAt, id],
  );
  return rows;
}

/** Goes byte by byte (`~>~`), so that one index serves whatever the database's collation is. */
async function searchById({ projectId }: Scope, { limit, cursor }: CursorRequest, search: string) {
  const after = cursor === undefined ? null : decodeCursor(cursor)[1];
  const { rows } = await db().query<EndUserRow>(
    `SELECT ${END_USER_FIGURES} FROM (
       SELECT * FROM end_users
       WHERE project_id = $1 AND end_user_id LIKE $3 AND ($4::text IS NULL OR end_user_id ~>~ $4::text)
       ORDER BY end_user_id USING ~<~ LIMIT $2) e
     ORDER BY e.end_user_id USING ~<~`,
    [projectId, limit + 1, `${escapeLike(search)}%`, after],
  );
  return rows;
}
