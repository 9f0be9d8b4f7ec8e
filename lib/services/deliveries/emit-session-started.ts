import { inTransaction, type Transaction } from "@/lib/db/pool";
import { emitDeliveries } from "@/lib/services/deliveries/emit-deliveries";
import { WANTS_TOKENS_EXCEEDED } from "@/lib/services/deliveries/emit-tokens-exceeded";
import { referenceOf } from "@/lib/services/deliveries/reference-of";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/** The beginning of a session, as its first turn knows it. */
export interface SessionStart {
  accountId: string;
  projectId: string;
  sessionId: string;
  turnId: string;
  endUserId: string | null;
  templateId: string | null;
  reference: string | null;
  createdAt: Date;
}

/**
 * Whether a registration waits for `session.started` of a first turn `t`; a condition, so that a project without one
 * pays no statement for it.
 */
export const IS_START_AWAITED = `
  CASE WHEN t.position = 0 THEN EXISTS (
    SELECT FROM webhook_registrations r WHERE r.project_id = t.project_id AND r.active
      AND r.status IN ('active', 'failed') AND 'session.started' = ANY (r.events)) ELSE false END`;

/**
 * Whether a turn `t` has anybody who may be to be told of it; a condition too. That it used up the plan's tokens is told to
 * receivers of the account's other projects as well.
 */
export const HAS_RECEIVERS = `
  (t.callback_url IS NOT NULL
   OR EXISTS (SELECT FROM webhook_registrations r WHERE r.project_id = t.project_id AND r.active)
   OR EXISTS (SELECT FROM webhook_registrations r WHERE r.account_id = t.account_id AND ${WANTS_TOKENS_EXCEEDED}))`;

/** Waits for whoever is just deleting the session, and has them wait: they remove what is written until then. */
const HOLD_SESSION = { name: "hold-started-session", text: "SELECT 1 FROM sessions WHERE id = $1 FOR KEY SHARE" };

/**
 * Tells the project's receivers that a session was created (§6.1). Safe to call again: each is told once. Of a session that
 * was deleted since its turn was taken nobody is told: nothing would remove what is written of it now.
 */
export async function emitSessionStarted(start: SessionStart): Promise<void> {
  await inTransaction(async (tx) => {
    const { rowCount } = await tx.query({ ...HOLD_SESSION, values: [start.sessionId] });
    if (rowCount) await emitStart(tx, start);
  });
  wakeRelay();
}

/**
 * The same for a turn that is ended from outside, in the transaction of that: perhaps no worker ever took it. Does
 * nothing for later turns of a session.
 * @returns how many deliveries were handed over
 */
export async function emitStartOfTurn(tx: Transaction, turnId: string): Promise<number> {
  const { rows } = await tx.query<SessionStart>(
    `SELECT t.account_id AS "accountId", t.project_id AS "projectId", t.session_id AS "sessionId", t.id AS "turnId",
            t.end_user_id AS "endUserId", t.template_id AS "templateId", t.reference,
            t.created_at AS "createdAt"
     FROM turns t WHERE t.id = $1 AND ${IS_START_AWAITED}`,
    [turnId],
  );
  return rows[0] ? emitStart(tx, rows[0]) : 0;
}

function emitStart(tx: Transaction, { createdAt, ...start }: SessionStart): Promise<number> {
  const { accountId, projectId, sessionId, turnId, endUserId, templateId } = start;
  return emitDeliveries(tx, [
    {
      accountId,
      projectId,
      sessionId,
      turnId,
      endUserId,
      callbackUrl: null,
      event: {
        type: "session.started",
        sessionId,
        endUserId,
        templateId,
        ...referenceOf(start),
        status: "started",
        timestamp: createdAt.toISOString(),
      },
      dedupeKey: `${sessionId}:session.started`,
    },
  ]);
}
