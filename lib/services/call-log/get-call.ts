import type { CallDetail } from "@/lib/contracts/call-log";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import type { ProjectScope } from "@/lib/domain/principal";
import { CALL_COLUMNS, type CallRow, toLoggedCall } from "@/lib/services/call-log/call-row";

type DetailRow = CallRow & Pick<CallDetail, "apiKey" | "turns">;

/** Its turns are those of its session, or of the sessions of a batch, that carry its request. */
const DETAIL_COLUMNS = `${CALL_COLUMNS},
  (SELECT json_build_object('id', k.id, 'name', k.name, 'hint', k.hint) FROM api_keys k
   WHERE k.id = c.api_key_id AND k.project_id = c.project_id) AS "apiKey",
  (SELECT coalesce(json_agg(json_build_object('id', t.id, 'sessionId', t.session_id, 'status', t.status,
                                              'creditsUsed', t.credits_used) ORDER BY t.created_at, t.id), '[]')
   FROM turns t
   WHERE t.request_id = c.request_id AND t.project_id = c.project_id AND t.session_id IN (
     SELECT c.session_id UNION SELECT jsonb_array_elements_text(c.summary->'sessionIds'))) AS turns`;

/**
 * One call of the project, by its own id or by the request id that its answer carried.
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function getCall({ accountId, projectId }: ProjectScope, id: string): Promise<CallDetail> {
  if (!isId("call", id) && !isId("request", id)) throw notFound("The call");
  const column = isId("call", id) ? "c.id" : "c.request_id";
  const { rows } = await db().query<DetailRow>(
    `SELECT ${DETAIL_COLUMNS} FROM call_logs c
     WHERE ${column} = $1 AND c.account_id = $2 AND c.project_id = $3 ORDER BY c.created_at DESC LIMIT 1`,
    [id, accountId, projectId],
  );
  const row = rows[0];
  if (!row) throw notFound("The call");
  const { apiKey, turns, ...call } = row;
  return { ...toLoggedCall(call), apiKey, turns };
}
