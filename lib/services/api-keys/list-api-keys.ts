import type { ApiKeyRecord } from "@/lib/contracts/api-keys";
import { databaseNow } from "@/lib/db/database-now";
import { escapeLike } from "@/lib/db/escape-like";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { keyHintIn } from "@/lib/domain/api-key";
import { type Page, type PageRequest, readPage } from "@/lib/domain/pagination";
import type { ProjectScope } from "@/lib/domain/principal";
import { type ApiKeyRow, SELECT_KEYS, toApiKey } from "@/lib/services/api-keys/api-key-row";

export interface ApiKeyListRequest extends PageRequest {
  /** Only keys that take calls: neither revoked nor expired. */
  isUsable?: boolean;
  /** Only keys with this in their name, of this id, or that end so: `…aB3x`, as they are shown. */
  search?: string | undefined;
}

const FILTER = `
  k.account_id = $1 AND k.project_id = $2
  AND (NOT $3::boolean OR (k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $4::timestamptz)))
  AND ($5::text IS NULL OR k.name ILIKE $6 OR k.id = $5 OR k.hint = $7)`;

/**
 * The project's keys, newest first.
 * @param asOf decides which have expired. Default: the database's clock, which decides it at each call
 */
export async function listApiKeys(
  { accountId, projectId }: ProjectScope,
  request: ApiKeyListRequest,
  asOf?: Date,
): Promise<Page<ApiKeyRecord>> {
  const { search = null } = request;
  const now = asOf ?? (await databaseNow(prisma()));
  const filter = [
    ...[accountId, projectId, request.isUsable ?? false, now],
    ...(search === null ? [null, null, null] : [search, `%${escapeLike(search)}%`, keyHintIn(search) ?? search]),
  ];
  const read = async ({ limit, offset }: PageRequest) => {
    const { rows } = await db().query<ApiKeyRow>(
      `${SELECT_KEYS} WHERE ${FILTER} ORDER BY k.created_at DESC, k.id DESC LIMIT $8 OFFSET $9`,
      [...filter, limit, offset],
    );
    return rows.map((row) => toApiKey(row, now));
  };
  const count = async () => {
    const { rows } = await db().query<{ total: number }>(
      `SELECT count(*) AS total FROM api_keys k WHERE ${FILTER}`,
      filter,
    );
    return rows[0]?.total ?? 0;
  };
  return readPage(request, read, count);
}
