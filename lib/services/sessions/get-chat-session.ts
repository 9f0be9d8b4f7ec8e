import type { ChatSession } from "@/lib/contracts/chat";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import {
  LATEST_CONTEXT,
  type RecordedRow,
  SESSION_COLUMNS,
  type SessionRow,
  toChatSession,
} from "@/lib/services/sessions/session-row";

interface ChatSessionRow extends SessionRow, RecordedRow {
  messages: { role: "user" | "assistant"; content: string; at: number }[] | null;
}

/**
 * A session of either kind with its messages, oldest first (§2.1).
 * @throws AppError NOT_FOUND, also when it is another project's or not the end user's
 */
export async function getChatSession(
  principal: Pick<Principal, "projectId">,
  sessionId: string,
  endUserId?: string,
): Promise<ChatSession> {
  const { rows } = await db().query<ChatSessionRow>({
    name: "get-chat-session",
    text: `
      SELECT ${SESSION_COLUMNS}, ${LATEST_CONTEXT},
        (SELECT json_agg(json_build_object('role', m.role, 'content', m.content,
                                           'at', (extract(epoch FROM m.created_at) * 1000)::bigint) ORDER BY m.position)
         FROM messages m WHERE m.session_id = s.id) AS messages
      FROM sessions s
      WHERE s.id = $1 AND s.project_id = $2 AND ($3::text IS NULL OR s.end_user_id = $3)`,
    values: [sessionId, principal.projectId, endUserId ?? null],
  });
  const row = rows[0];
  if (!row) throw notFound("The session");
  const messages = row.messages ?? [];
  return toChatSession(
    row,
    messages.map(({ role, content, at }) => ({ role, content, timestamp: new Date(at).toISOString() })),
  );
}
