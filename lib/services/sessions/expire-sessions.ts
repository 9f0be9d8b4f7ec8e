import { inTransaction } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { type EmitInput, emitDeliveries } from "@/lib/services/deliveries/emit-deliveries";
import { referenceOf } from "@/lib/services/deliveries/reference-of";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

export interface ExpireOptions {
  /** Default: the database's clock, which also wrote the times of activity. */
  now?: Date;
  /** Default: SESSION_TIMEOUT_SECONDS. */
  timeoutSeconds?: number;
  /** Sessions of one transaction; their calls wait for it. */
  limit?: number;
}

interface ExpiredSession {
  id: string;
  accountId: string;
  projectId: string;
  endUserId: string | null;
  templateId: string | null;
  reference: string | null;
  lastActivityAt: Date;
  expiredAt: Date;
  /** Whether a registration wants to be told. */
  isAwaited: boolean;
}

/**
 * Locked sessions are skipped: another process has them, or a call that resumes them. A locked row is looked at
 * again in its newest state, so one that was resumed meanwhile is left alone.
 */
const EXPIRE_SESSIONS = `
  WITH due AS (
    SELECT id FROM sessions
    WHERE status <> 'expired' AND open_turns = 0
      AND last_activity_at <= coalesce($1::timestamptz, now()) - make_interval(secs => $2)
    ORDER BY last_activity_at LIMIT $3 FOR UPDATE SKIP LOCKED)
  UPDATE sessions s SET status = 'expired' FROM due WHERE s.id = due.id
  RETURNING s.id, s.account_id AS "accountId", s.project_id AS "projectId", s.end_user_id AS "endUserId",
            s.template_id AS "templateId", s.reference, s.last_activity_at AS "lastActivityAt",
            coalesce($1::timestamptz, now()) AS "expiredAt",
            EXISTS (SELECT FROM webhook_registrations r WHERE r.project_id = s.project_id AND r.active
                    AND r.status IN ('active', 'failed') AND 'session.timeout' = ANY (r.events)) AS "isAwaited"`;

/**
 * Expires the sessions without activity (§3, contract §3): those in which no turn is open and none began or ended for
 * the time. Each expiry and its `session.timeout` event are one transaction, so there is exactly one event, with any
 * number of processes at it and whichever of them dies. A session that is resumed can expire again.
 * @returns how many expired; when it returns none is left that is not another process's
 */
export async function expireSessions(options: ExpireOptions = {}): Promise<number> {
  const { now = null, timeoutSeconds = env().SESSION_TIMEOUT_SECONDS, limit = 100 } = options;
  for (let total = 0; ; ) {
    const sessions = await inTransaction(async (tx) => {
      const { rows } = await tx.query<ExpiredSession>({
        name: "expire-sessions",
        text: EXPIRE_SESSIONS,
        values: [now, timeoutSeconds, limit],
      });
      await emitDeliveries(tx, rows.filter(({ isAwaited }) => isAwaited).map(timeoutOf));
      return rows;
    });
    if (sessions.some(({ isAwaited }) => isAwaited)) wakeRelay();
    total += sessions.length;
    if (sessions.length < limit) return total;
  }
}

function timeoutOf(session: ExpiredSession): EmitInput {
  const { id: sessionId, accountId, projectId, endUserId, templateId, lastActivityAt, expiredAt } = session;
  return {
    accountId,
    projectId,
    sessionId,
    turnId: null,
    endUserId,
    callbackUrl: null,
    event: {
      type: "session.timeout",
      sessionId,
      endUserId,
      templateId,
      ...referenceOf(session),
      status: "expired",
      timestamp: expiredAt.toISOString(),
      lastActivityAt: lastActivityAt.toISOString(),
    },
    dedupeKey: `${sessionId}:session.timeout:${lastActivityAt.toISOString()}`,
  };
}
