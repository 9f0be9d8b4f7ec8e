import type { EndUserItem } from "@/lib/contracts/end-users";
import { boundedCount, MAX_COUNTED } from "@/lib/domain/bounded-count";

/** Columns of an end user, of a table called `e`; each figure comes from an index of its own. */
export const END_USER_FIGURES = `
  e.end_user_id AS "endUserId", e.created_at AS "createdAt", e.last_seen_at AS "lastSeenAt",
  (SELECT count(*) FROM (SELECT FROM sessions s WHERE s.project_id = e.project_id AND s.end_user_id = e.end_user_id
   LIMIT ${MAX_COUNTED + 1}) counted) AS sessions,
  EXISTS (SELECT FROM memory_profiles m WHERE m.project_id = e.project_id AND m.end_user_id = e.end_user_id
   AND m.content <> '') AS "hasMemory",
  (SELECT json_build_object('requests', coalesce(sum(u.requests), 0), 'tokensIn', coalesce(sum(u.tokens_in), 0),
     'tokensOut', coalesce(sum(u.tokens_out), 0), 'creditsUsed', coalesce(sum(u.credits), 0))
   FROM usage_days u WHERE u.project_id = e.project_id AND u.end_user_id = e.end_user_id) AS usage`;

export interface EndUserRow {
  endUserId: string;
  createdAt: Date;
  lastSeenAt: Date;
  sessions: number;
  hasMemory: boolean;
  usage: { requests: number; tokensIn: number; tokensOut: number; creditsUsed: number };
}

export function toEndUser(row: EndUserRow): EndUserItem {
  return {
    endUserId: row.endUserId,
    sessions: boundedCount(row.sessions),
    hasMemory: row.hasMemory,
    ...row.usage,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  };
}
