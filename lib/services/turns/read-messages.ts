import { db } from "@/lib/db/pool";
import { mostCharacters } from "@/lib/domain/token-estimate";

/** A message of the session with what came along with it. */
export interface ConversationMessage {
  /** Its place in the session. */
  position: number;
  role: "user" | "assistant";
  content: string;
  turnId: string;
  /** Inline text context of that call. */
  fileContent: string | null;
}

/** Which messages of a session are read, and how much of each. */
export interface MessageSpan {
  sessionId: string;
  /** The place behind the newest of them. */
  before: number;
  /** Only of turns that began later; null: all. */
  since: Date | null;
  /** How much of a message's text is of use, in tokens: one that is longer comes cut, and is more than that all the same. */
  tokens: number;
  /** The same of its inline text context; 0 where that is of no use. */
  inlineTokens: number;
}

/** The messages of a span, the newest first, a page at a time: nothing is read that nobody asks for. */
export async function* readMessages(span: MessageSpan): AsyncGenerator<ConversationMessage> {
  yield* messagesFrom(span, await readPage(span));
}

/** The same where the first page was read before. */
export async function* messagesFrom(
  span: MessageSpan,
  first: ConversationMessage[],
): AsyncGenerator<ConversationMessage> {
  let page = first;
  let { before } = span;
  while (before > 0) {
    yield* page;
    before = page.at(-1)?.position ?? (await findEarlier({ ...span, before: Math.max(0, before - PAGE_PLACES) }));
    page = await readPage({ ...span, before });
  }
}

/** The place behind the newest message of a span; 0 where there is none. What was tried again has left its places empty. */
async function findEarlier({ sessionId, before, since }: MessageSpan): Promise<number> {
  if (before === 0) return 0;
  const { rows } = await db().query<{ before: number }>({
    name: "earlier-conversation-message",
    text: `SELECT m.position + 1 AS before FROM messages m JOIN turns t ON t.id = m.turn_id
           WHERE m.session_id = $1 AND m.position < $2 AND ($3::timestamptz IS NULL OR t.created_at > $3)
           ORDER BY m.position DESC LIMIT 1`,
    values: [sessionId, before, since],
  });
  return rows[0]?.before ?? 0;
}

/** Takes in a usual conversation at once. Places and not rows, so that no plan reads the session from its beginning. */
const PAGE_PLACES = 100;
/** A page ends with the message that exceeds it: their texts may be 10 MB each. */
const PAGE_BYTES = 1024 * 1024;

/**
 * The newest messages of a span, as far as a page reaches, the newest first; the database is not asked when there can be none.
 */
export async function readPage(span: MessageSpan): Promise<ConversationMessage[]> {
  if (span.before === 0) return [];
  const { rows } = await db().query<ConversationMessage>({
    name: "conversation-messages",
    text: `
      SELECT position, role, "turnId", left(content, $4::int) AS content, left(inline, $5::int) AS "fileContent"
      FROM (
        SELECT m.position, m.role, m.turn_id AS "turnId", m.content, beside.inline,
               sum(least(octet_length(m.content), 4 * $4::bigint)::int
                   + least(coalesce(octet_length(beside.inline), 0), 4 * $5::bigint)::int)
                 OVER (ORDER BY m.position DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS newer
        FROM messages m JOIN turns t ON t.id = m.turn_id
        CROSS JOIN LATERAL (SELECT CASE WHEN m.role = 'user' THEN t.file_content END AS inline) beside
        WHERE m.session_id = $1 AND m.position >= $2 - ${PAGE_PLACES} AND m.position < $2
          AND ($3::timestamptz IS NULL OR t.created_at > $3)
      ) page
      WHERE newer IS NULL OR newer < ${PAGE_BYTES}
      ORDER BY position DESC`,
    values: [span.sessionId, span.before, span.since, charactersOf(span.tokens), charactersOf(span.inlineTokens)],
  });
  return rows;
}

/** How many messages of a session stand before a place. */
export async function countMessages(sessionId: string, before: number): Promise<number> {
  const { rows } = await db().query<{ count: number }>({
    name: "count-conversation-messages",
    text: "SELECT count(*) AS count FROM messages WHERE session_id = $1 AND position < $2",
    values: [sessionId, before],
  });
  return rows[0]?.count ?? 0;
}

/** The most characters that so many tokens may be, within what a value of the database holds. */
export function charactersOf(tokens: number): number {
  return tokens === 0 ? 0 : Math.min(mostCharacters(tokens), LONGEST_TEXT);
}

/** More than a value of the database holds. */
const LONGEST_TEXT = 2 ** 30;
