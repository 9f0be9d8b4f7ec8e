import type { Transaction } from "@/lib/db/pool";
import { AppError, notFound } from "@/lib/domain/errors";

/** A turn that got no answer, and is tried again by another. */
export interface RetriedTurn {
  turnId: string;
  /** Its place in the session: the one that tries it again comes right behind it, or not at all. */
  position: number;
  /** How many files came with it. */
  files: number;
}

/** Of a session whose last call is another by now, which is under way. */
export function overtaken(): AppError {
  return new AppError("NOT_READY", "Another call of the session came first: that can be tried again if it fails.");
}

/** Of a session that nothing is to be tried again of: the same call fails until another failed in it. */
export function nothingToRetry(why: string): AppError {
  return new AppError("NOT_READY", why, { isRetryable: false });
}

/**
 * Hands over what a turn was asked with to the one that tries it again, in the transaction that accepts that: its files, and its
 * place in the conversation, where the question would else stand twice. Whoever comes second finds nothing to hand over.
 * @throws AppError NOT_FOUND when the session went meanwhile; NOT_READY when another call tried it again first, or a file went
 */
export async function takeOverTurn(
  tx: Transaction,
  sessionId: string,
  { turnId, files }: RetriedTurn,
  nextTurnId: string,
): Promise<void> {
  const { rows } = await tx.query<{ sessions: number; asked: number; files: number }>({
    name: "take-over-turn",
    // The session first, as all who change or delete it take it.
    text: `
      WITH session AS MATERIALIZED (SELECT id FROM sessions WHERE id = $1 FOR KEY SHARE),
      question AS (
        DELETE FROM messages m USING session s
        WHERE m.session_id = s.id AND m.turn_id = $2 AND m.role = 'user' RETURNING m.session_id
      ),
      moved AS (
        UPDATE stored_files f SET turn_id = $3 FROM question q
        WHERE f.session_id = q.session_id AND f.turn_id = $2 AND f.purpose = 'input' AND f.deleted_at IS NULL RETURNING f.id
      )
      SELECT (SELECT count(*)::int FROM session) AS sessions, (SELECT count(*)::int FROM question) AS asked,
             (SELECT count(*)::int FROM moved) AS files`,
    values: [sessionId, turnId, nextTurnId],
  });
  if (!rows[0]?.sessions) throw notFound("The session");
  if (!rows[0].asked) throw overtaken();
  if (rows[0].files !== files) throw nothingToRetry("The file of its last call is kept no longer: send it again.");
}
