import type { Transaction } from "@/lib/db/pool";
import type { SessionStatus } from "@/lib/domain/session-status";
import { emitDeliveries } from "@/lib/services/deliveries/emit-deliveries";
import { referenceOf } from "@/lib/services/deliveries/reference-of";

/** The turn that reached the limit. */
export interface CrossingTurn {
  projectId: string;
  sessionId: string;
  turnId: string;
  endUserId: string | null;
  templateId: string | null;
  reference: string | null;
  status: SessionStatus;
}

export interface ReachedLimit {
  accountId: string;
  /** When it was reached; names the period, too. */
  at: Date;
  /** Of the account in this month. */
  tokensUsed: number;
  /** Of its plan. */
  tokenLimit: number;
  /** Null when no turn reached it, but a smaller plan. */
  turn: CrossingTurn | null;
}

/** Of a registration `r`: whether it is told when the limit of its account is reached, in whichever project. */
export const WANTS_TOKENS_EXCEEDED = `r.active AND 'tokens.exceeded' = ANY (r.events)`;

/**
 * Tells the receivers of all of the account's projects that the plan's tokens are used up: the limit is the account's, and calls
 * of all are refused from now on (contract §7). Each is told once per period, however often that happens. Of the turn and its
 * session its own project alone learns.
 * @returns how many deliveries were handed over
 */
export async function emitTokensExceeded(tx: Transaction, limit: ReachedLimit): Promise<number> {
  const { accountId, at, tokensUsed, tokenLimit } = limit;
  const { rows } = await tx.query<{ projectId: string }>(
    `SELECT DISTINCT r.project_id AS "projectId" FROM webhook_registrations r
     WHERE r.account_id = $1 AND ${WANTS_TOKENS_EXCEEDED} ORDER BY 1`,
    [accountId],
  );
  const inputs = rows.map(({ projectId }) => {
    const turn = limit.turn?.projectId === projectId ? limit.turn : null;
    const of = { sessionId: turn?.sessionId ?? null, endUserId: turn?.endUserId ?? null };
    const event = {
      type: "tokens.exceeded" as const,
      ...of,
      templateId: turn?.templateId ?? null,
      ...referenceOf(turn ?? { reference: null }),
      timestamp: at.toISOString(),
      status: turn?.status ?? null,
      tokensUsed,
      tokenLimit,
      periodEnd: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)).toISOString(),
    };
    const dedupeKey = `${accountId}:tokens.exceeded:${at.toISOString().slice(0, 7)}`;
    return { accountId, projectId, ...of, turnId: turn?.turnId ?? null, callbackUrl: null, event, dedupeKey };
  });
  return emitDeliveries(tx, inputs);
}
