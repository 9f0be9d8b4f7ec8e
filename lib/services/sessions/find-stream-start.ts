import { hotDb } from "@/lib/db/pool";
import { unindexed } from "@/lib/db/unindexed";
import type { SessionStatus } from "@/lib/domain/session-status";
import { processSingleton } from "@/lib/process-singleton";
import { together } from "@/lib/together";

/** How a stream begins: the status, and the turn that it covers. */
export interface StreamStart {
  status: SessionStatus;
  turnId: string;
  isOpen: boolean;
  /** The reader has the turn's events up to this one; 0: none of them. */
  after: number;
  /** Sequence numbers of the turn's events; null while there are none. */
  firstSeq: number | null;
  lastSeq: number | null;
}

/** What one stream is about, and may see. */
interface Question {
  sessionId: string;
  projectId: string;
  endUserId: string | undefined;
  /** The last event that its reader has; 0: none. */
  after: number;
}

const MAX_TOGETHER = 50;
/** Of the column's type: a client may name any number. */
const MAX_SEQ = 2 ** 31 - 1;

/**
 * How the stream of a session begins; undefined when there is none that the caller may see. Streams that are opened at once are
 * begun by one statement.
 *
 * It goes on in the turn of the event that the reader has, or in the next turn when that one ended with it: turns came and went
 * while the reader was away, and each has an end to be told. An event that a crash took from the log (docs/decisions/0003) was of
 * the turn whose event comes behind it. Without an event, or behind all there are, it is the latest turn.
 *
 * The next turn is that of the next place in the session, and is read from its first event wherever that stands: of a long queue
 * that is canceled the last turns end first.
 */
export function findStreamStart(question: Question): Promise<StreamStart | undefined> {
  return processSingleton("streams-together", () => together({ work: findStreamStarts, max: MAX_TOGETHER }))(question);
}

async function findStreamStarts(questions: Question[]): Promise<(StreamStart | undefined)[]> {
  const { rows } = await hotDb().query<StreamStart & { n: number }>({
    name: "stream-starts",
    text: `
      SELECT q.n, s.status, t.id AS "turnId", t.status IN ('queued', 'running') AS "isOpen",
             t.after, ev.first_seq AS "firstSeq", ev.last_seq AS "lastSeq"
      FROM unnest($1::text[], $2::text[], $3::text[], $4::int[]) WITH ORDINALITY
        AS q (session_id, project_id, end_user_id, after, n)
      JOIN sessions s ON s.id = q.session_id AND ${unindexed("s.project_id")} = q.project_id
        AND (q.end_user_id IS NULL OR s.end_user_id = q.end_user_id)
      CROSS JOIN LATERAL (SELECT id, status FROM turns WHERE session_id = s.id ORDER BY position DESC LIMIT 1) latest
      LEFT JOIN LATERAL (
        SELECT owner.position + received.is_end::int AS position, NOT received.is_end AS is_owner
        FROM (SELECT turn_id, seq = q.after AND type IN ('completed', 'error') AS is_end FROM session_events
              WHERE session_id = s.id AND seq >= q.after ORDER BY seq LIMIT 1) received
        JOIN turns owner ON owner.id = received.turn_id
      ) place ON true
      LEFT JOIN LATERAL (SELECT id, status FROM turns WHERE session_id = s.id AND position >= place.position
                         ORDER BY position LIMIT 1) resumed ON true
      CROSS JOIN LATERAL (
        SELECT coalesce(resumed.id, latest.id) AS id, coalesce(resumed.status, latest.status) AS status,
               CASE WHEN resumed.id IS NULL OR place.is_owner THEN coalesce(q.after, 0) ELSE 0 END AS after) t
      CROSS JOIN LATERAL (SELECT min(seq) AS first_seq, max(seq) AS last_seq FROM session_events
                          WHERE session_id = s.id AND turn_id = t.id) ev`,
    values: [
      questions.map(({ sessionId }) => sessionId),
      questions.map(({ projectId }) => projectId),
      questions.map(({ endUserId }) => endUserId ?? null),
      // With null for none the log and the later turns are not looked into.
      questions.map(({ after }) => Math.min(after, MAX_SEQ) || null),
    ],
  });
  const found = new Map(rows.map((row) => [row.n, row]));
  return questions.map((_, index) => found.get(index + 1));
}
