import { db } from "@/lib/db/pool";
import { keyHintIn } from "@/lib/domain/api-key";
import { isEndUserId } from "@/lib/domain/end-user-id";
import { idsIn } from "@/lib/domain/ids-in";
import { MAX_REFERENCE_CHARACTERS } from "@/lib/domain/limits";
import type { ProjectScope } from "@/lib/domain/principal";
import { isLongerThan } from "@/lib/domain/template-limits";

/** What an id can be the id of. */
export type FoundKind =
  | "session"
  | "template"
  | "webhook"
  | "delivery"
  | "key"
  | "call"
  | "file"
  | "knowledge"
  | "project"
  | "account"
  | "endUser"
  | "sessionsOfReference";

/** A thing of the project, itself or its account, with what its page needs to show it. */
export interface Found {
  kind: FoundKind;
  /** The id of the thing itself: of a turn its session's, of a delivery's UUID the delivery's; a reference as it is. */
  id: string;
  /** Of a file: the session that it belongs to. */
  parentId: string | null;
}

/*
 * One statement for all kinds: each look-up is by a key or an index, and within the project. The order says which wins
 * where an end user bears an id of another kind.
 */
const FIND = `
  SELECT 'session' AS kind, id, NULL AS "parentId" FROM sessions WHERE id = $2 AND project_id = $1
  UNION ALL
  SELECT 'session', session_id, NULL FROM turns WHERE id = $2 AND project_id = $1
  UNION ALL
  SELECT 'template', id, NULL FROM templates WHERE id = $2 AND project_id = $1
  UNION ALL
  SELECT 'webhook', id, NULL FROM webhook_registrations WHERE id = $2 AND project_id = $1
  UNION ALL
  SELECT 'delivery', id, NULL FROM webhook_deliveries WHERE id = $2 AND project_id = $1
  UNION ALL
  SELECT 'delivery', id, NULL FROM webhook_deliveries WHERE delivery_uuid = $3::uuid AND project_id = $1
  UNION ALL
  SELECT 'key', id, NULL FROM api_keys WHERE id = $2 AND project_id = $1
  UNION ALL
  (SELECT 'call', request_id, NULL FROM call_logs WHERE request_id = $2 AND project_id = $1 LIMIT 1)
  UNION ALL
  SELECT 'call', request_id, NULL FROM call_logs WHERE id = $2 AND project_id = $1
  UNION ALL
  SELECT 'file', id, session_id FROM stored_files WHERE id = $2 AND project_id = $1 AND deleted_at IS NULL
  UNION ALL
  SELECT 'knowledge', id, NULL FROM knowledge_files WHERE id = $2 AND project_id = $1
  UNION ALL
  SELECT 'project', id, NULL FROM projects WHERE id = $2 AND id = $1
  UNION ALL
  SELECT 'account', account_id, NULL FROM projects WHERE account_id = $2 AND id = $1
  UNION ALL
  SELECT 'key', id, NULL FROM api_keys WHERE hint = $5 AND project_id = $1
  UNION ALL
  SELECT 'endUser', end_user_id, NULL FROM end_users WHERE end_user_id = $2 AND project_id = $1 AND $4
  UNION ALL
  (SELECT 'sessionsOfReference', reference, NULL FROM sessions WHERE reference = $2 AND project_id = $1 LIMIT 1)
  LIMIT 1`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Looks for whatever an id names among the project's things: sessions, turns, templates, webhooks, deliveries (by their id
 * or `X-Service-Delivery`), keys (by their id or the end of them that lists show), calls (by their id or `X-Request-Id`), files, knowledge files, end users, sessions of a client's own reference, the
 * project itself and its account. What stood around an id in what was copied is passed over. Null when there is none, also when it is another project's.
 */
export async function findById(scope: Pick<ProjectScope, "projectId">, text: string): Promise<Found | null> {
  const whole = text.trim();
  // The whole first: a reference of a client's own may have anything in it.
  for (const id of new Set([whole, ...idsIn(whole)])) {
    const found = await findWhole(scope, id);
    if (found) return found;
  }
  return null;
}

async function findWhole({ projectId }: Pick<ProjectScope, "projectId">, id: string): Promise<Found | null> {
  if (id === "" || isLongerThan(id, MAX_REFERENCE_CHARACTERS) || id.includes("\0")) return null;
  const { rows } = await db().query<Found>({
    name: "find-by-id",
    text: FIND,
    values: [projectId, id, UUID.test(id) ? id : null, isEndUserId(id), keyHintIn(id)],
  });
  return rows[0] ?? null;
}
