import { db } from "@/lib/db/pool";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";

/** A message of the session with what came along with it. */
export interface ConversationMessage {
  role: "user" | "assistant";
  content: string;
  turnId: string;
  /** Inline text context of that call. */
  fileContent: string | null;
}

/** A file that the client sent with a turn. */
export interface ConversationFile {
  id: string;
  turnId: string;
  name: string;
  contentType: string;
  size: number;
  storageKey: string;
}

/**
 * Everything said before this turn, oldest first, and all files of the session up to it.
 * @param turn one whose claim found no files is not asked for any
 */
export async function loadConversation(turn: ConversationEnd & Partial<Pick<ClaimedTurn, "hasFiles">>) {
  const [messages, files] = await Promise.all([
    turn.position === 0 ? [] : loadMessages(turn),
    turn.hasFiles === false ? [] : loadFiles(turn),
  ]);
  return { messages, files };
}

type ConversationEnd = Pick<ClaimedTurn, "sessionId" | "position">;

async function loadFiles(turn: ConversationEnd): Promise<ConversationFile[]> {
  const { rows } = await db().query<ConversationFile>({
    name: "conversation-files",
    text: `SELECT f.id, f.turn_id AS "turnId", f.name, f.content_type AS "contentType", f.size, f.storage_key AS "storageKey"
           FROM stored_files f JOIN turns t ON t.id = f.turn_id
           WHERE f.session_id = $1 AND f.purpose = 'input' AND f.deleted_at IS NULL AND t.position <= $2
           ORDER BY t.position, f.created_at, f.id`,
    values: [turn.sessionId, turn.position],
  });
  return rows;
}

async function loadMessages(turn: ConversationEnd): Promise<ConversationMessage[]> {
  const { rows } = await db().query<ConversationMessage>({
    name: "conversation-messages",
    text: `SELECT m.role, m.content, m.turn_id AS "turnId", CASE WHEN m.role = 'user' THEN t.file_content END AS "fileContent"
           FROM messages m JOIN turns t ON t.id = m.turn_id
           WHERE m.session_id = $1 AND m.position < $2 ORDER BY m.position`,
    values: [turn.sessionId, 2 * turn.position],
  });
  return rows;
}
