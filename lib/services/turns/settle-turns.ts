import type { Queryable, Transaction } from "@/lib/db/pool";
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
  /** Of the turn itself: its session goes on naming the last one that any of its turns had. */
  template_id: string | null;
  callback_url: string | null;
  /** Of the turn, as its events tell it. */
  reference: string | null;
  request_id: string;
  kind: SessionKind;
  charged: number;
  /** Whether anybody may be to be told of it. */
  has_receivers: boolean;
  plan_id: PlanId;
  /** Of the account in this month, up to and with this turn. */
  tokens_used: number;
  ended_at: Date;
  /** Of the terminal event in the session's log, where it was written with the end. */
  seq: number | null;
}

/** What settling writes for a turn besides. */
export interface SettleExtras {
  /** The id of the file that the turn made. */
  outputFileId?: string | undefined;
  /** Of the terminal event, but for what settling tells: with it, the end is all that there is to write. */
  eventData?: object;
  /** Of the event with the last piece of text. */
  lastPiece?: object | null;
}

/**
 * Ends turns of different sessions, with charge and usage.
 * @param extras for each what else is to be written; all or none have event data
 * @returns for each its settled turn; undefined when it had ended, or is another worker's, or the end is not all that there is
 */
export async function settleTurns(
  on: Queryable | Transaction,
  endings: EndingTurn[],
  extras: SettleExtras[],
): Promise<(SettledTurn | undefined)[]> {
  const done = endings.map(({ end }) => (end.status === "completed" ? end : null));
  const failed = endings.map(({ end }) => (end.status === "completed" ? null : end));
  const { rows } = await on.query<SettledTurn>({
    ...SETTLE_TURNS,
    values: [
      endings.map(({ turnId }) => turnId),
      endings.map(({ generation }) => generation),
      endings.map(({ end }) => end.status),
      done.map((end) => end?.output ?? null),
      done.map((end) => end?.outputType ?? null),
      extras.map(({ outputFileId }) => outputFileId ?? null),
      failed.map((end) => end?.errorCode ?? null),
      failed.map((end) => end?.errorMessage ?? null),
      done.map((end) => end?.tokensIn ?? 0),
      done.map((end) => end?.tokensOut ?? 0),
      done.map((end) => end?.credits ?? 0),
      done.map((end) => end?.model ?? null),
      endings.map(() => newId("ledger")),
      endings.map(({ end }) => (end.status !== "canceled" && end.context ? JSON.stringify(end.context) : null)),
      extras.map(({ eventData }) => (eventData ? JSON.stringify(eventData) : null)),
      extras.map(({ lastPiece }) => (lastPiece ? JSON.stringify(lastPiece) : null)),
      OPEN_TURN_STATUSES,
      extras.every(({ eventData }) => eventData !== undefined),
    ],
  });
  const settled = new Map(rows.map((row) => [row.id, row]));
  return endings.map(({ turnId, generation }) => {
    const turn = settled.get(turnId);
    return generation === null || turn?.generation === generation ? turn : undefined;
  });
}
