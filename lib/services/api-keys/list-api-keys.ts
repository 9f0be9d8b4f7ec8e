import type { ApiKeyRecord } from "@/lib/contracts/api-keys";
import { db } from "@/lib/db/pool";
import { makePage, type Page, type PageRequest } from "@/lib/domain/pagination";
import type { ProjectScope } from "@/lib/domain/principal";
import { type ApiKeyRow, SELECT_KEYS, toApiKey } from "@/lib/services/api-keys/api-key-row";

export interface ApiKeyListRequest extends PageRequest {
  /** Only keys that take calls: neither revoked nor expired. */
  isUsable?: boolean;
}

const FILTER = `
  k.account_id = $1 AND k.project_id = $2
  AND (NOT $3::boolean OR (k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $4::timestamptz)))`;

/** The project's keys, newest first. */
export async function listApiKeys(
  { accountId, projectId }: ProjectScope,
  request: ApiKeyListRequest,
  now = new Date(),
): Promise<Page<ApiKeyRecord>> {
  const filter = [accountId, projectId, request.isUsable ?? false, now];
  const [{ rows }, count] = await Promise.all([
    db().query<ApiKeyRow>(`${SELECT_KEYS} WHERE ${FILTER} ORDER BY k.created_at DESC, k.id DESC LIMIT $5 OFFSET $6`, [
      ...filter,
      request.limit,
      request.offset,
    ]),
    db().query<{ total: number }>(`SELECT count(*) AS total FROM api_keys k WHERE ${FILTER}`, filter),
  ]);
  return makePage(
    rows.map((row) => toApiKey(row, now)),
    count.rows[0]?.total ?? 0,
    request,
  );
}
