import type { Transaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import type { PlanId } from "@/lib/domain/plans";
import type { SessionKind } from "@/lib/domain/session-status";
import { OPEN_TURN_STATUSES } from "@/lib/domain/session-status";
import { SETTLE_TURNS } from "@/lib/services/turns/settle-statement";
import type { EndingTurn } from "@/lib/services/turns/turn-end";

/** A turn as the settling statement left it. */
export interface SettledTurn {
  id: string;
  generation: number;
  session_id: string;
  account_id: string;
  project_id: string;
  end_user_id: string | null;
  template_id: string | null;
  callback_url: string | null;
  request_id: string;
  kind: SessionKind;
  charged: number;
  /** Whether anybody may be to be told of it. */
  has_receivers: boolean;
  plan_id: PlanId;
  /** Of the account in this month, up to and with this turn. */
  tokens_used: number;
  ended_at: Date;
}

/**
 * Ends turns of different sessions, with charge and usage.
 * @param outputFileIds for each the id of the file that it made, where there is one
 * @returns for each its settled turn; undefined when it had ended, or is another worker's
 */
export async function settleTurns(
  tx: Transaction,
  endings: EndingTurn[],
  outputFileIds: (string | undefined)[],
): Promise<(SettledTurn | undefined)[]> {
  const done = endings.map(({ end }) => (end.status === "completed" ? end : null));
  const failed = endings.map(({ end }) => (end.status === "completed" ? null : end));
  const { rows } = await tx.query<SettledTurn>({
    ...SETTLE_TURNS,
    values: [
      endings.map(({ turnId }) => turnId),
      endings.map(({ generation }) => generation),
      endings.map(({ end }) => end.status),
      done.map((end) => end?.output ?? null),
      done.map((end) => end?.outputType ?? null),
      outputFileIds.map((id) => id ?? null),
      failed.map((end) => end?.errorCode ?? null),
      failed.map((end) => end?.errorMessage ?? null),
      done.map((end) => end?.tokensIn ?? 0),
      done.map((end) => end?.tokensOut ?? 0),
      done.map((end) => end?.credits ?? 0),
      done.map((end) => end?.model ?? null),
      endings.map(() => newId("ledger")),
      endings.map(({ end }) => (end.status !== "canceled" && end.context ? JSON.stringify(end.context) : null)),
      OPEN_TURN_STATUSES,
    ],
  });
  const settled = new Map(rows.map((row) => [row.id, row]));
  return endings.map(({ turnId, generation }) => {
    const turn = settled.get(turnId);
    return generation === null || turn?.generation === generation ? turn : undefined;
  });
}
