import type { EndUserUsageShare } from "@/lib/contracts/usage-breakdown";
import { Conditions } from "@/lib/db/conditions";
import { db } from "@/lib/db/pool";
import { type CursorPage, type CursorRequest, decodeCursor, makeCursorPage } from "@/lib/domain/cursor";
import { invalidField } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";

export interface EndUserUsageRequest extends CursorRequest {
  /** A calendar month (UTC): YYYY-MM. */
  month: string;
}

/**
 * What each end user of the project used in a month, the largest first. By the month, whose sums are kept: of any other
 * period the whole of it would have to be added up to know who comes first. Who uses more while somebody turns the pages
 * moves up.
 * @throws AppError VALIDATION_FAILED for a cursor that this list has not given
 */
export async function listEndUserUsage(
  { accountId, projectId }: ProjectScope,
  { month, limit, cursor }: EndUserUsageRequest,
): Promise<CursorPage<EndUserUsageShare>> {
  const conditions = new Conditions()
    .add((place) => `m.project_id = ${place}`, projectId)
    .add((place) => `EXISTS (SELECT FROM projects p WHERE p.id = m.project_id AND p.account_id = ${place})`, accountId)
    .add((place) => `m.month = ${place}::date`, `${month}-01`);
  if (cursor !== undefined) {
    conditions.add((credits, id) => `(m.credits, m.end_user_id) < (${credits}::bigint, ${id})`, ...placeOf(cursor));
  }
  const { rows } = await db().query<EndUserUsageShare>(
    `SELECT nullif(m.end_user_id, '') AS "endUserId", m.requests, m.tokens_in AS "tokensIn", m.tokens_out AS "tokensOut",
            m.credits AS "creditsUsed"
     FROM usage_months m WHERE ${conditions}
     ORDER BY m.credits DESC, m.end_user_id DESC LIMIT ${conditions.place(limit + 1)}`,
    conditions.values,
  );
  return makeCursorPage(
    rows,
    limit,
    (share) => share,
    ({ creditsUsed, endUserId }) => [String(creditsUsed), endUserId ?? ""],
  );
}

function placeOf(cursor: string): readonly [credits: string, endUserId: string] {
  const position = decodeCursor(cursor);
  if (!/^\d{1,15}$/.test(position[0])) throw invalidField("cursor", "is not one that this list has given");
  return position;
}
