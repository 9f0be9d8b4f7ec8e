import type { ApiKeyRecord } from "@/lib/contracts/api-keys";
import { databaseNow } from "@/lib/db/database-now";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type ApiKeyRow, SELECT_KEYS, toApiKey } from "@/lib/services/api-keys/api-key-row";

/**
 * One key of the project.
 * @param asOf decides whether it has expired. Default: the database's clock, which decides it at each call
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function getApiKey(
  { accountId, projectId }: ProjectScope,
  keyId: string,
  asOf?: Date,
): Promise<ApiKeyRecord> {
  const { rows } = await db().query<ApiKeyRow>(
    `${SELECT_KEYS} WHERE k.id = $1 AND k.account_id = $2 AND k.project_id = $3`,
    [keyId, accountId, projectId],
  );
  if (!rows[0]) throw notFound("The key");
  return toApiKey(rows[0], asOf ?? (await databaseNow(prisma())));
}
