import { db } from "@/lib/db/pool";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { type ConversationMessage, messagesFrom, readPage } from "@/lib/services/turns/read-messages";

/** A file that the client sent with a turn. */
export interface ConversationFile {
  id: string;
  turnId: string;
  name: string;
  contentType: string;
  size: number;
  storageKey: string;
  /** Its bytes are kept no longer. */
  isRemoved: boolean;
}

/** What was there before a turn. */
export interface Conversation {
  /** Everything said before it, the newest first: read as it is asked for. */
  newestFirst: AsyncGenerator<ConversationMessage>;
  /** All files of the session up to the turn, with its own; the oldest first. */
  files: ConversationFile[];
}

/** A turn; one whose claim found no files is not asked for any. */
export type ConversationTurn = Pick<ClaimedTurn, "sessionId" | "position"> & Partial<Pick<ClaimedTurn, "hasFiles">>;

/**
 * What was said before a turn, and the session's files. Of a long conversation only the newest is read until more is asked for.
 * @param most how much of a text is of use, in tokens: what is longer comes cut, and is more than that all the same
 */
export async function loadConversation(
  turn: ConversationTurn,
  most: { tokens: number; inlineTokens: number },
): Promise<Conversation> {
  const span = { sessionId: turn.sessionId, before: positionOf(turn), since: null, ...most };
  const [newest, files] = await Promise.all([readPage(span), loadFiles(turn)]);
  return { newestFirst: messagesFrom(span, newest), files };
}

/** All files of a session up to a turn, with its own; the oldest first. */
export async function loadFiles(turn: ConversationTurn): Promise<ConversationFile[]> {
  if (turn.hasFiles === false) return [];
  const { rows } = await db().query<ConversationFile>({
    name: "conversation-files",
    text: `SELECT f.id, f.turn_id AS "turnId", f.name, f.content_type AS "contentType", f.size, f.storage_key AS "storageKey",
                  f.deleted_at IS NOT NULL AS "isRemoved"
           FROM stored_files f JOIN turns t ON t.id = f.turn_id
           WHERE f.session_id = $1 AND f.purpose = 'input' AND t.position <= $2
           ORDER BY t.position, f.created_at, f.id`,
    values: [turn.sessionId, turn.position],
  });
  return rows;
}

/** So many say what is spoken of: who asks on does not name it again. */
const QUESTIONS_BEFORE = 3;
const QUESTION_CHARACTERS = 2_000;

/** What was asked before a turn, the newest first; empty for a session's first turn, and for none. */
export async function readQuestionsBefore(turn: Partial<ConversationTurn>): Promise<string> {
  const { sessionId, position } = turn;
  if (!sessionId || !position) return "";
  const { rows } = await db().query<{ content: string }>({
    name: "questions-before",
    text: `SELECT left(content, ${QUESTION_CHARACTERS}) AS content FROM messages
           WHERE session_id = $1 AND position >= $2 - ${2 * QUESTIONS_BEFORE} AND position < $2 AND role = 'user'
           ORDER BY position DESC`,
    values: [sessionId, positionOf({ position })],
  });
  return rows.map(({ content }) => content).join("\n\n");
}

/** Of a turn's own message: each turn has two places, for what was asked and for what was answered. */
export function positionOf({ position }: Pick<ClaimedTurn, "position">): number {
  return 2 * position;
}
