import type { ChatSession } from "@/lib/contracts/chat-records";
import { hotDb } from "@/lib/db/pool";
import { unindexed } from "@/lib/db/unindexed";
import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { processSingleton } from "@/lib/process-singleton";
import { SESSION_COLUMNS, type SessionRow, toChatSession } from "@/lib/services/sessions/session-row";
import { together } from "@/lib/together";

interface ChatSessionRow extends SessionRow {
  /** Of the question that it answers, from 1. */
  n: number;
  /** Null: too many to be read along with others'. */
  messages: { role: "user" | "assistant"; content: string; at: number }[] | null;
  /** How many older ones there are. */
  messages_left_out: number;
}

/** What one caller asks for, and is let see. */
interface Question {
  sessionId: string;
  projectId: string;
  endUserId: string | undefined;
}

const MAX_TOGETHER = 20;
/** The message that exceeds it is the oldest that comes along: an answer is in memory as a whole, several times over. */
const MESSAGES_BYTES = 16 * 1024 * 1024;

/**
 * A session of either kind with its messages, oldest first (§2.1); of a conversation of more than 16 MB with the newest.
 * Calls that come at once are answered by one statement; a conversation that takes long to read holds up its own alone.
 * @throws AppError NOT_FOUND, also when it is another project's or not the end user's
 */
export async function getChatSession(
  principal: Pick<Principal, "projectId">,
  sessionId: string,
  endUserId?: string,
): Promise<ChatSession> {
  const find = processSingleton("chat-sessions-together", () =>
    together({ work: findSessions, max: MAX_TOGETHER, keyOf: ({ sessionId }) => sessionId }),
  );
  const row = await find({ sessionId, projectId: principal.projectId, endUserId });
  if (!row) throw notFound("The session");
  const messages = row.messages ?? [];
  return toChatSession(
    row,
    messages.map(({ role, content, at }) => ({ role, content, timestamp: new Date(at).toISOString() })),
    row.messages_left_out,
  );
}

async function findSessions(
  questions: Question[],
): Promise<(ChatSessionRow | undefined | Promise<ChatSessionRow | undefined>)[]> {
  const rows = await readSessions(WHOLE, questions);
  return questions.map((question, index) => {
    const row = rows[index];
    return row?.messages === null ? findLongSession(question) : row;
  });
}

async function findLongSession(question: Question): Promise<ChatSessionRow | undefined> {
  return (await readSessions(NEWEST, [question]))[0];
}

const MESSAGE =
  "json_build_object('role', m.role, 'content', m.content, 'at', (extract(epoch FROM m.created_at) * 1000)::bigint)";

interface Reading {
  /** Of the prepared statement. */
  name: string;
  /** The messages of session `s`, and how many are left out. */
  columns: string;
  /** What the columns are of, beside the session. */
  join: string;
}

/** All messages, unless they are too many. Those of one turn come along in any case, and are not even measured. */
const WHOLE: Reading = {
  name: "get-chat-sessions",
  columns: `
    CASE WHEN s.turn_count < 2
           OR (SELECT sum(octet_length(content)) FROM messages WHERE session_id = s.id) < ${MESSAGES_BYTES}
    THEN (SELECT coalesce(json_agg(${MESSAGE} ORDER BY m.position), '[]') FROM messages m WHERE m.session_id = s.id)
    END AS messages, 0 AS messages_left_out`,
  join: "",
};

/** The newest messages. To measure one by one costs more than to read an ordinary conversation. */
const NEWEST: Reading = {
  name: "get-long-chat-session",
  columns: "said.messages, said.left_out AS messages_left_out",
  join: `CROSS JOIN LATERAL (
    SELECT json_agg(${MESSAGE} ORDER BY m.position) FILTER (WHERE m.newer IS NULL OR m.newer < ${MESSAGES_BYTES}) AS messages,
           count(*) FILTER (WHERE m.newer >= ${MESSAGES_BYTES}) AS left_out
    FROM (
      SELECT role, content, created_at, position, sum(octet_length(content))
               OVER (ORDER BY position DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS newer
      FROM messages WHERE session_id = s.id
    ) m
  ) said`,
};

/** @returns what each question finds; undefined where it finds none */
async function readSessions(
  { name, columns, join }: Reading,
  questions: Question[],
): Promise<(ChatSessionRow | undefined)[]> {
  const { rows } = await hotDb().query<ChatSessionRow>({
    name,
    text: `
      SELECT q.n, ${SESSION_COLUMNS}, ${columns}
      FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS q (session_id, project_id, end_user_id, n)
      JOIN sessions s ON s.id = q.session_id AND ${unindexed("s.project_id")} = q.project_id
        AND (q.end_user_id IS NULL OR s.end_user_id = q.end_user_id)
      ${join}`,
    values: [
      questions.map(({ sessionId }) => sessionId),
      questions.map(({ projectId }) => projectId),
      questions.map(({ endUserId }) => endUserId ?? null),
    ],
  });
  const found = new Map(rows.map((row) => [row.n, row]));
  return questions.map((_, index) => found.get(index + 1));
}
