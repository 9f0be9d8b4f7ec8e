import type { Transaction } from "@/lib/db/pool";
import { sideBySide } from "@/lib/db/side-by-side";
import { OPEN_TURN_STATUSES } from "@/lib/domain/session-status";
import { endingWith, tellEnd } from "@/lib/services/turns/end-turn";
import { settleTurns } from "@/lib/services/turns/settle-turns";
import { announceTurnStop } from "@/lib/services/turns/turn-stops";
import { closeEnds, type EndedTurn, type Settling } from "@/lib/services/turns/write-ends";

/** More than sessions have open. Calls of the account wait for the transaction: of a longer queue the last part goes first. */
const MAX_TOGETHER = 20;

const CANCELED = {
  status: "canceled",
  errorCode: "CANCELED",
  errorMessage: "The client canceled the call.",
} as const;

/**
 * Ends the queued and running turns of a session as canceled: nothing is charged, what they were promised returns. One that
 * ends by itself meanwhile stays as it ended. They end together, so that none is handed to the queue on the way.
 * @param sessionId of the caller's own session: nothing is checked here
 * @returns how many turns were canceled
 */
export async function cancelTurns(sessionId: string): Promise<number> {
  for (let canceled = 0; ; ) {
    const { ended, found } = await endingWith((tx) => cancelLast(tx, sessionId));
    await Promise.all(ended.map(tellCanceled));
    canceled += ended.length;
    // Of those that were found somebody else may have ended all, who then still has others to end.
    if (found < MAX_TOGETHER) return canceled;
  }
}

async function tellCanceled([turnId, end]: [string, EndedTurn]): Promise<void> {
  await tellEnd(turnId, CANCELED, end);
  // Not an error when it fails: the worker notices at its next write, or at its next heartbeat.
  await announceTurnStop(turnId).catch(() => {});
}

/**
 * Cancels the last open turns of a session. All are settled before the first is closed, for closing one hands on the next that
 * is still queued; and they are closed in the order of their places, in which their ends then stand in the log. What is done for
 * each is sent one behind the other, without waiting: the account's calls wait for it all.
 */
async function cancelLast(
  tx: Transaction,
  sessionId: string,
): Promise<{ ended: [turnId: string, ended: EndedTurn][]; found: number }> {
  const settlings: Settling[] = [];
  let found = 0;
  for (let last = -1; ; ) {
    // Once more after the first: settling it has locked the session, so nothing comes to it after what has come by then.
    const ids = await findLastTurns(tx, sessionId, last);
    found += ids.length;
    const turns = ids.length > 0 ? await lockTurns(tx, ids) : [];
    settlings.push(...(await sideBySide(turns.map(({ id }) => settleCanceled(tx, id)))));
    last = turns.at(-1)?.position ?? last;
    if (turns.length === 0) break;
  }
  const ended: [string, EndedTurn][] = [];
  const ends = await sideBySide(settlings.map((settling) => closeEnds(tx, settling, () => {})));
  for (const [index, [end]] of ends.entries()) {
    for (const { turnId } of settlings[index]?.endings ?? []) if (end) ended.push([turnId, end]);
  }
  return { ended, found };
}

async function settleCanceled(tx: Transaction, turnId: string): Promise<Settling> {
  const endings = [{ turnId, generation: null, end: CANCELED }];
  return { endings, settled: await settleTurns(tx, endings, [{}]), fileIds: [] };
}

/** The last open turns behind a place. */
async function findLastTurns(tx: Transaction, sessionId: string, after: number): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: "find-last-turns",
    text: `SELECT id FROM turns WHERE session_id = $1 AND position > $2 AND status IN ('queued', 'running')
           ORDER BY position DESC LIMIT ${MAX_TOGETHER}`,
    values: [sessionId, after],
  });
  return rows.map(({ id }) => id);
}

/**
 * Those of the turns that are still open, in the order of their places. They are locked by their ids, as settling locks them;
 * whoever ends one is waited for.
 */
async function lockTurns(tx: Transaction, turnIds: string[]) {
  const { rows } = await tx.query<{ id: string; position: number }>({
    name: "lock-turns",
    text: "SELECT id, position FROM turns WHERE status = ANY ($2::text[]) AND id = ANY ($1::text[]) ORDER BY id FOR UPDATE",
    // The statuses are a parameter for the reason that lib/services/turns/claim-together.ts tells.
    values: [turnIds, OPEN_TURN_STATUSES],
  });
  return rows.sort((a, b) => a.position - b.position);
}
