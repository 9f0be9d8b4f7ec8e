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
  /** Sequence numbers of the turn's events; null while there are none. */
  firstSeq: number | null;
  lastSeq: number | null;
}

/** What one stream is about, and may see. */
interface Question {
  sessionId: string;
  projectId: string;
  endUserId: string | undefined;
}

const MAX_TOGETHER = 50;

/** How the stream of a session begins; undefined when there is none that the caller may see. Streams that are opened at once are begun by one statement. */
export function findStreamStart(question: Question): Promise<StreamStart | undefined> {
  return processSingleton("streams-together", () => together({ work: findStreamStarts, max: MAX_TOGETHER }))(question);
}

async function findStreamStarts(questions: Question[]): Promise<(StreamStart | undefined)[]> {
  const { rows } = await hotDb().query<StreamStart & { n: number }>({
    name: "stream-starts",
    text: `
      SELECT q.n, s.status, t.id AS "turnId", t.status IN ('queued', 'running') AS "isOpen",
             ev.first_seq AS "firstSeq", ev.last_seq AS "lastSeq"
      FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS q (session_id, project_id, end_user_id, n)
      JOIN sessions s ON s.id = q.session_id AND ${unindexed("s.project_id")} = q.project_id
        AND (q.end_user_id IS NULL OR s.end_user_id = q.end_user_id)
      CROSS JOIN LATERAL (SELECT id, status FROM turns WHERE session_id = s.id ORDER BY position DESC LIMIT 1) t
      CROSS JOIN LATERAL (SELECT min(seq) AS first_seq, max(seq) AS last_seq FROM session_events
                          WHERE session_id = s.id AND turn_id = t.id) ev`,
    values: [
      questions.map(({ sessionId }) => sessionId),
      questions.map(({ projectId }) => projectId),
      questions.map(({ endUserId }) => endUserId ?? null),
    ],
  });
  const found = new Map(rows.map((row) => [row.n, row]));
  return questions.map((_, index) => found.get(index + 1));
}
